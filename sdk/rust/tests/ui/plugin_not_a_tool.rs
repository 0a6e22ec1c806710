fn hello() {}

toolhost_sdk::plugin!(hello);

fn main() {}
