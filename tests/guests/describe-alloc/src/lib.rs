//! `describe` allocates until it is refused.

fn alloc() -> ! {
    let mut kept = Vec::new();
    loop {
        kept.push(vec![1u8; 1 << 20]);
        std::hint::black_box(&kept);
    }
}

guest_support::plugin!(&[], alloc());
