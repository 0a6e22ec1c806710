//! Every range, at its edges, one step outside them and in the middle.
//!
//! What is expected comes from a copy of the registries that was made for these tests,
//! with the columns "address block" and "globally reachable", and not from the table
//! under test.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{Opens, check_address, table};

/// The registry of IPv4 special-purpose addresses, with multicast (RFC 5771).
const IPV4: &str = "
0.0.0.0/8 no
10.0.0.0/8 no
100.64.0.0/10 no
127.0.0.0/8 no
169.254.0.0/16 no
172.16.0.0/12 no
192.0.0.0/24 no
192.0.0.0/29 no
192.0.0.8/32 no
192.0.0.9/32 yes
192.0.0.10/32 yes
192.0.0.170/32 no
192.0.0.171/32 no
192.0.2.0/24 no
192.31.196.0/24 yes
192.52.193.0/24 yes
192.88.99.0/24 no
192.88.99.2/32 no
192.168.0.0/16 no
192.175.48.0/24 yes
198.18.0.0/15 no
198.51.100.0/24 no
203.0.113.0/24 no
240.0.0.0/4 no
255.255.255.255/32 no
224.0.0.0/4 no
168.63.129.16/32 no";

/// The same for IPv6, with the deprecated site-local (RFC 3879), multicast, and the
/// rest of the space outside `2000::/3`. `no!` departs from the registry: NAT64 embeds an
/// address of the other family, and ORCHIDs are not for routers.
const IPV6: &str = "
::/3 no
4000::/2 no
8000::/1 no
2000::/3 yes
::1/128 no
::/128 no
::ffff:0:0/96 no
64:ff9b::/96 no!
64:ff9b:1::/48 no
100::/64 no
100:0:0:1::/64 no
2001::/23 no
2001::/32 no
2001:1::1/128 yes
2001:1::2/128 yes
2001:1::3/128 yes
2001:2::/48 no
2001:3::/32 yes
2001:4:112::/48 yes
2001:10::/28 no
2001:20::/28 no!
2001:30::/28 no!
2001:db8::/32 no
2002::/16 no
2620:4f:8000::/48 yes
3fff::/20 no
5f00::/16 no
fc00::/7 no
fe80::/10 no
fec0::/10 no
ff00::/8 no";

/// A block of a registry, as numbers that are 128 bits wide in both families.
struct Block {
    base: u128,
    bits: u32,
    reachable: bool,
}

/// A family of addresses and its registry.
struct Family {
    width: u32,
    blocks: Vec<Block>,
}

impl Family {
    fn read(registry: &str, width: u32) -> Self {
        let blocks = registry.trim().lines().map(|line| {
            let (range, reachable) = line.split_once(' ').unwrap();
            let (base, bits) = parse(range);
            let reachable = reachable == "yes";
            Block {
                base,
                bits,
                reachable,
            }
        });
        let blocks = blocks.collect();
        Self { width, blocks }
    }

    fn address(&self, number: u128) -> IpAddr {
        match self.width {
            32 => Ipv4Addr::from_bits(number.try_into().unwrap()).into(),
            _ => Ipv6Addr::from_bits(number).into(),
        }
    }

    fn most(&self) -> u128 {
        u128::MAX >> (128 - self.width)
    }

    /// By the longest prefix that the address has, compared bit by bit.
    fn is_reachable(&self, number: u128) -> bool {
        let in_block = |block: &&Block| {
            let rest = self.width - block.bits;
            (number ^ block.base).checked_shr(rest).unwrap_or(0) == 0
        };
        let all = self.blocks.iter().filter(in_block);
        all.max_by_key(|block| block.bits)
            .is_none_or(|block| block.reachable)
    }

    fn check(&self, number: u128) {
        let address = self.address(number);
        let verdict = check_address(address);
        assert_eq!(
            verdict.is_ok(),
            self.is_reachable(number),
            "{address}: {verdict:?}"
        );
    }

    /// First, last, one before, one after, and the middle.
    fn check_around(&self, base: u128, bits: u32) {
        let size = self.most().checked_shr(bits).unwrap_or(0);
        let last = base + size;
        for number in [base, base + size / 2, last] {
            self.check(number);
        }
        if base > 0 {
            self.check(base - 1);
        }
        if last < self.most() {
            self.check(last + 1);
        }
    }
}

fn parse(range: &str) -> (u128, u32) {
    let (base, bits) = range.split_once('/').unwrap();
    let base = match base.parse().unwrap() {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    };
    (base, bits.parse().unwrap())
}

fn families() -> [Family; 2] {
    // What clouds answer at lies in private ranges, with the one exception above.
    [Family::read(IPV4, 32), Family::read(IPV6, 128)]
}

fn special(address: &str) -> super::Special {
    check_address(address.parse().unwrap()).unwrap_err()
}

#[test]
fn each_range_of_the_registries_is_closed_or_open_as_they_say() {
    for family in families() {
        for block in &family.blocks {
            family.check_around(block.base, block.bits);
        }
    }
}

#[test]
fn each_range_of_the_table_agrees_with_the_registries() {
    let [v4, v6] = families();
    let mut seen = 0;
    for (range, name, _) in table::rows() {
        // Clouds are in no registry; the test below has them.
        if name == "cloud metadata" {
            continue;
        }
        let family = if range.contains(':') { &v6 } else { &v4 };
        let (base, bits) = parse(range);
        family.check_around(base, bits);
        seen += 1;
    }
    assert!(seen > 60);
}

#[test]
fn a_range_starts_where_it_says() {
    for (range, ..) in table::rows() {
        let width = if range.contains(':') { 128 } else { 32 };
        let (base, bits) = parse(range);
        let inside = u128::MAX.checked_shr(128 - width + bits).unwrap_or(0);
        assert_eq!(base & inside, 0, "{range} has bits outside its prefix");
    }
}

#[test]
fn no_address_in_between_is_forgotten() {
    for family in families() {
        // 65,536 addresses over the whole space, one in each part of the same size.
        for part in 0..=0xffff_u128 {
            let base = part << (family.width - 16);
            family.check(base);
            family.check(base | (0x5a5a_a5a5 & (family.most() >> 16)));
        }
    }
}

#[test]
fn the_standard_library_finds_nothing_that_passes() {
    for part in 0..=0xffff_u32 {
        let address = Ipv4Addr::from_bits(part << 16 | 0x0101);
        let known = address.is_private()
            || address.is_loopback()
            || address.is_link_local()
            || address.is_multicast()
            || address.is_documentation();
        assert!(
            !known || check_address(address.into()).is_err(),
            "{address}"
        );
    }
}

#[test]
fn an_address_in_the_dress_of_another_family_is_refused_whatever_it_is() {
    for embedded in ["127.0.0.1", "10.0.0.1", "169.254.169.254", "9.9.9.9"] {
        let embedded: Ipv4Addr = embedded.parse().unwrap();
        let [a, b, c, d] = embedded.octets().map(u16::from);
        let (high, low) = (a << 8 | b, c << 8 | d);
        let dresses = [
            ([0, 0, 0, 0, 0, 0xffff, high, low], "IPv4-mapped"),
            ([0, 0, 0, 0, 0, 0, high, low], "IPv4-compatible"),
            ([0, 0, 0, 0, 0xffff, 0, high, low], "IPv4-translated"),
            ([0x64, 0xff9b, 0, 0, 0, 0, high, low], "NAT64"),
            ([0x64, 0xff9b, 1, 0, 0, 0, high, low], "local NAT64"),
            ([0x2002, high, low, 0, 0, 0, 0, 1], "6to4"),
            ([0x2001, 0, 1, 2, 3, 4, !high, !low], "Teredo"),
        ];
        for (segments, name) in dresses {
            let address = Ipv6Addr::from(segments);
            let special = check_address(address.into()).unwrap_err();
            assert_eq!(
                (special.name, special.opens),
                (name, Opens::Never),
                "{address}"
            );
        }
    }
}

#[test]
fn the_addresses_at_which_clouds_give_out_credentials_need_to_be_named() {
    let addresses = [
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "169.254.0.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    ];
    for address in addresses {
        let special = special(address);
        assert_eq!(special.name, "cloud metadata", "{address}");
        assert_eq!(special.opens, Opens::Literal, "{address}");
    }
    let listed = table::rows().filter(|(_, name, _)| *name == "cloud metadata");
    assert_eq!(listed.count(), addresses.len());
}

#[test]
fn a_refusal_tells_range_purpose_and_source() {
    assert_eq!(
        special("10.1.2.3").to_string(),
        "private use, 10.0.0.0/8, RFC 1918"
    );
    assert_eq!(special("::1").to_string(), "loopback, ::1/128, RFC 4291");
    assert_eq!(special("::2").name, "IPv4-compatible");
    assert_eq!(special("1::").name, "reserved");
}

#[test]
fn private_networks_open_and_what_is_no_peer_never_does() {
    let named = [
        "10.0.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "100.64.0.1",
        "127.0.0.1",
        "169.254.1.1",
        "198.19.0.1",
        "::1",
        "fd12:3456::1",
        "fe80::1",
    ];
    for address in named {
        assert_eq!(special(address).opens, Opens::Named, "{address}");
    }
    let never = [
        "0.0.0.0",
        "0.1.2.3",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "192.88.99.1",
        "::",
        "ff02::1",
        "fec0::1",
        "2001:db8::1",
        "3fff::1",
        "2001:10::1",
        "2001:20::1",
        "5f00::1",
        "100::1",
        "4000::1",
        "fe00::1",
    ];
    for address in never {
        assert_eq!(special(address).opens, Opens::Never, "{address}");
    }
}
