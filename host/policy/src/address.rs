//! Which addresses a plugin may be connected to. A name is only a name: what is
//! checked is the address that the socket will use.
//!
//! The ranges are those of the IANA registries of special-purpose addresses for
//! IPv4 and IPv6 (RFC 6890 and what updates it), with multicast, the parts of IPv6
//! that are no global unicast, and the addresses at which clouds give out
//! credentials. The most specific range decides. What embeds an IPv4 address
//! (mapped, compatible, NAT64, 6to4, Teredo) is refused whatever it embeds: no name
//! of a public service needs it, and each is a way around a check of the other
//! family.

mod table;

use std::{fmt, net::IpAddr};

use table::{Range, V4, V6};

/// Checks that an address is globally reachable unicast.
///
/// IPv6 addresses are taken as they are: `::ffff:127.0.0.1` is not read as an IPv4
/// address but refused as IPv4-mapped.
///
/// ```
/// use toolhost_policy::check_address;
///
/// assert!(check_address("9.9.9.9".parse()?).is_ok());
/// let special = check_address("169.254.169.254".parse()?).unwrap_err();
/// assert_eq!(special.name, "cloud metadata");
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
///
/// # Errors
/// When it is anything else, with the range it is in.
pub fn check_address(address: IpAddr) -> Result<(), Special> {
    let (ranges, bits) = match address {
        IpAddr::V4(address) => (&V4, u128::from(address.to_bits())),
        IpAddr::V6(address) => (&V6, address.to_bits()),
    };
    match ranges.iter().find(|range| range.holds(bits)) {
        Some(Range {
            special: Some(special),
            ..
        }) => Err(*special),
        Some(Range { special: None, .. }) | None => Ok(()),
    }
}

/// Why an address is not reachable for a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Special {
    /// The range, as in `10.0.0.0/8`.
    pub range: &'static str,
    /// What it is for, as in `private use`.
    pub name: &'static str,
    /// Where that is laid down, as in `RFC 1918`.
    pub source: &'static str,
    /// Whether `allow-private` opens it.
    pub opens: Opens,
}

/// What it takes to open a range that is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opens {
    /// Nothing does: no grant reaches multicast, the unspecified address, a reserved
    /// range, or an IPv4 address in the dress of an IPv6 one.
    Never,
    /// `allow-private` for the host, by its name or its address.
    Named,
    /// `allow-private` for this very address. A name does not do: whoever controls
    /// the name could point it at the credentials of the machine.
    Literal,
}

impl fmt::Display for Special {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            range,
            name,
            source,
            opens: _,
        } = self;
        write!(f, "{name}, {range}, {source}")
    }
}

#[cfg(test)]
mod tests;
