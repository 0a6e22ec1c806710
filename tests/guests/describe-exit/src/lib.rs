//! `describe` leaves by `exit(0)`: not a success, for there are no definitions.

guest_support::plugin!(&[], std::process::exit(0));
