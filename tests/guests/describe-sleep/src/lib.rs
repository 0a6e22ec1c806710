//! `describe` sleeps for an hour, which burns no fuel.

use std::time::Duration;

fn sleep() -> ! {
    loop {
        std::thread::sleep(Duration::from_hours(1));
    }
}

guest_support::plugin!(&[], sleep());
