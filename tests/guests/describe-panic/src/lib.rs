//! `describe` panics: the host must say so with the message, and go on.

guest_support::plugin!(&[], panic!("nothing to describe"));
