//! `describe` never returns: the host must not need a call to be hung.

fn forever() -> ! {
    loop {
        std::hint::black_box(0);
    }
}

guest_support::plugin!(&[], forever());
