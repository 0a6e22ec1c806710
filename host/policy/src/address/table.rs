//! The ranges, as the registries list them, and how an address is looked up.

use std::{net::IpAddr, sync::LazyLock};

use super::{Opens, Special};

/// A range with what is known of it.
pub(super) struct Range {
    first: u128,
    last: u128,
    /// Absent when the range is reachable like any other although it lies in one
    /// that is not.
    pub(super) special: Option<Special>,
}

impl Range {
    pub(super) fn holds(&self, address: u128) -> bool {
        (self.first..=self.last).contains(&address)
    }
}

type Row = (&'static str, &'static str, &'static str, Reach);

/// What a row of the table says of its range.
#[derive(Clone, Copy)]
enum Reach {
    Global,
    Closed(Opens),
}

const GLOBAL: Reach = Reach::Global;
const NEVER: Reach = Reach::Closed(Opens::Never);
const NAMED: Reach = Reach::Closed(Opens::Named);
const LITERAL: Reach = Reach::Closed(Opens::Literal);

/// Ranges of IPv4, the most specific first.
pub(super) static V4: LazyLock<Vec<Range>> = LazyLock::new(|| read(ROWS_V4, 32));

/// Ranges of IPv6, the most specific first.
pub(super) static V6: LazyLock<Vec<Range>> = LazyLock::new(|| read(ROWS_V6, 128));

#[rustfmt::skip]
const ROWS_V4: &[Row] = &[
    ("0.0.0.0/8", "this network", "RFC 791", NEVER),
    ("0.0.0.0/32", "the unspecified address", "RFC 1122", NEVER),
    ("10.0.0.0/8", "private use", "RFC 1918", NAMED),
    ("100.64.0.0/10", "shared by a provider's customers", "RFC 6598", NAMED),
    ("100.100.100.200/32", "cloud metadata", "Alibaba Cloud", LITERAL),
    ("127.0.0.0/8", "loopback", "RFC 1122", NAMED),
    // A public address by number, and the host of the virtual machine by function.
    ("168.63.129.16/32", "cloud metadata", "Azure wire server", LITERAL),
    ("169.254.0.0/16", "link-local", "RFC 3927", NAMED),
    ("169.254.0.23/32", "cloud metadata", "Tencent Cloud", LITERAL),
    ("169.254.169.254/32", "cloud metadata", "most clouds", LITERAL),
    ("169.254.170.2/32", "cloud metadata", "Amazon ECS", LITERAL),
    ("169.254.170.23/32", "cloud metadata", "Amazon EKS", LITERAL),
    ("172.16.0.0/12", "private use", "RFC 1918", NAMED),
    ("192.0.0.0/24", "protocol assignments", "RFC 6890", NEVER),
    ("192.0.0.0/29", "IPv4 service continuity", "RFC 7335", NEVER),
    ("192.0.0.8/32", "the IPv4 dummy address", "RFC 7600", NEVER),
    ("192.0.0.9/32", "port control anycast", "RFC 7723", GLOBAL),
    ("192.0.0.10/32", "TURN anycast", "RFC 8155", GLOBAL),
    ("192.0.0.170/31", "NAT64 discovery", "RFC 8880", NEVER),
    ("192.0.0.192/32", "cloud metadata", "Oracle Cloud", LITERAL),
    ("192.0.2.0/24", "documentation", "RFC 5737", NEVER),
    ("192.31.196.0/24", "AS112", "RFC 7535", GLOBAL),
    ("192.52.193.0/24", "AMT", "RFC 7450", GLOBAL),
    ("192.88.99.0/24", "6to4 relay anycast", "RFC 7526", NEVER),
    ("192.168.0.0/16", "private use", "RFC 1918", NAMED),
    ("192.175.48.0/24", "AS112", "RFC 7534", GLOBAL),
    ("198.18.0.0/15", "benchmarking", "RFC 2544", NAMED),
    ("198.51.100.0/24", "documentation", "RFC 5737", NEVER),
    ("203.0.113.0/24", "documentation", "RFC 5737", NEVER),
    ("224.0.0.0/4", "multicast", "RFC 5771", NEVER),
    ("240.0.0.0/4", "reserved", "RFC 1112", NEVER),
    ("255.255.255.255/32", "broadcast", "RFC 919", NEVER),
];

// All of global unicast lies in 2000::/3, so the rest is closed by its blocks in the
// registry of the address space; what has a name of its own follows.
#[rustfmt::skip]
const ROWS_V6: &[Row] = &[
    ("::/8", "reserved", "RFC 4291", NEVER),
    ("100::/8", "reserved", "RFC 4291", NEVER),
    ("200::/7", "reserved", "RFC 4048", NEVER),
    ("400::/6", "reserved", "RFC 4291", NEVER),
    ("800::/5", "reserved", "RFC 4291", NEVER),
    ("1000::/4", "reserved", "RFC 4291", NEVER),
    ("4000::/3", "reserved", "RFC 4291", NEVER),
    ("6000::/3", "reserved", "RFC 4291", NEVER),
    ("8000::/3", "reserved", "RFC 4291", NEVER),
    ("a000::/3", "reserved", "RFC 4291", NEVER),
    ("c000::/3", "reserved", "RFC 4291", NEVER),
    ("e000::/4", "reserved", "RFC 4291", NEVER),
    ("f000::/5", "reserved", "RFC 4291", NEVER),
    ("f800::/6", "reserved", "RFC 4291", NEVER),
    ("fe00::/9", "reserved", "RFC 4291", NEVER),
    ("::/96", "IPv4-compatible", "RFC 4291", NEVER),
    ("::/128", "the unspecified address", "RFC 4291", NEVER),
    ("::1/128", "loopback", "RFC 4291", NAMED),
    ("::ffff:0:0/96", "IPv4-mapped", "RFC 4291", NEVER),
    ("::ffff:0:0:0/96", "IPv4-translated", "RFC 2765", NEVER),
    ("64:ff9b::/96", "NAT64", "RFC 6052", NEVER),
    ("64:ff9b:1::/48", "local NAT64", "RFC 8215", NEVER),
    ("100::/64", "discard-only", "RFC 6666", NEVER),
    ("100:0:0:1::/64", "the IPv6 dummy prefix", "RFC 9780", NEVER),
    ("2001::/23", "protocol assignments", "RFC 2928", NEVER),
    ("2001::/32", "Teredo", "RFC 4380", NEVER),
    ("2001:1::1/128", "port control anycast", "RFC 7723", GLOBAL),
    ("2001:1::2/128", "TURN anycast", "RFC 8155", GLOBAL),
    ("2001:1::3/128", "service registration anycast", "RFC 9665", GLOBAL),
    ("2001:2::/48", "benchmarking", "RFC 5180", NAMED),
    ("2001:3::/32", "AMT", "RFC 7450", GLOBAL),
    ("2001:4:112::/48", "AS112", "RFC 7535", GLOBAL),
    // The registry calls the last two reachable, but they are names of keys and
    // drones that no router knows.
    ("2001:10::/28", "ORCHID", "RFC 4843", NEVER),
    ("2001:20::/28", "ORCHIDv2", "RFC 7343", NEVER),
    ("2001:30::/28", "drone identifiers", "RFC 9374", NEVER),
    ("2001:db8::/32", "documentation", "RFC 3849", NEVER),
    ("2002::/16", "6to4", "RFC 3056", NEVER),
    ("2620:4f:8000::/48", "AS112", "RFC 7534", GLOBAL),
    ("3fff::/20", "documentation", "RFC 9637", NEVER),
    ("5f00::/16", "segment routing", "RFC 9602", NEVER),
    ("fc00::/7", "unique-local", "RFC 4193", NAMED),
    ("fd00:ec2::23/128", "cloud metadata", "Amazon EKS", LITERAL),
    ("fd00:ec2::254/128", "cloud metadata", "Amazon EC2", LITERAL),
    ("fd20:ce::254/128", "cloud metadata", "Google Cloud", LITERAL),
    ("fe80::/10", "link-local", "RFC 4291", NAMED),
    ("fec0::/10", "site-local", "RFC 3879", NEVER),
    ("ff00::/8", "multicast", "RFC 4291", NEVER),
];

/// Reads a table of addresses that are `width` bits wide.
fn read(rows: &[Row], width: u32) -> Vec<Range> {
    let mut ranges: Vec<Range> = rows.iter().map(|row| range(row, width)).collect();
    // The size of a range is its last address less its first: smaller is more specific.
    ranges.sort_by_key(|range| range.last - range.first);
    ranges
}

fn range(&(text, name, source, reach): &Row, width: u32) -> Range {
    const ROW: &str = "every row of the tables above is `ADDRESS/BITS`, as a test checks";
    let (address, bits) = text.split_once('/').expect(ROW);
    let bits: u32 = bits.parse().expect(ROW);
    let first = match address.parse().expect(ROW) {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    };
    let rest = match width - bits {
        128 => u128::MAX,
        free => (1 << free) - 1,
    };
    let special = match reach {
        Reach::Global => None,
        Reach::Closed(opens) => Some(Special {
            range: text,
            name,
            source,
            opens,
        }),
    };
    Range {
        first,
        last: first | rest,
        special,
    }
}

#[cfg(test)]
pub(super) fn rows() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let all = ROWS_V4.iter().chain(ROWS_V6);
    all.map(|&(text, name, _, reach)| (text, name, matches!(reach, Reach::Global)))
}
