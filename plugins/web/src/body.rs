//! The bytes of a response, unpacked, and no more of them than allowed.

use std::io::Read;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use toolhost_sdk::http::{Error, ErrorKind, Part, Response};

/// A body as far as it was wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// The bytes, no more than the cap, also where a few bytes unpack to many.
    pub bytes: Vec<u8>,
    /// Whether there is more.
    pub truncated: bool,
    /// How it is packed, where that is not understood.
    pub packed: Option<String>,
}

/// Reads a body. Requests ask for one that is not packed; some servers pack it
/// nevertheless.
///
/// # Errors
/// When it breaks off, or is not packed as it says.
pub fn read(response: Response, cap: usize) -> Result<Body, Error> {
    let packing = response
        .header("content-encoding")
        .map(str::trim)
        .unwrap_or_default();
    let packing = packing.to_ascii_lowercase();
    let part = response.part(cap)?;
    if part.bytes.is_empty() {
        return Ok(plain(part));
    }
    match &*packing {
        "" | "identity" => Ok(plain(part)),
        "gzip" | "x-gzip" => unpack(MultiGzDecoder::new(&*part.bytes), part.truncated, cap),
        "deflate" => unpack(ZlibDecoder::new(&*part.bytes), part.truncated, cap),
        _ => Ok(Body {
            packed: Some(packing),
            ..plain(part)
        }),
    }
}

fn plain(part: Part) -> Body {
    Body {
        bytes: part.bytes,
        truncated: part.truncated,
        packed: None,
    }
}

fn unpack(decoder: impl Read, mut truncated: bool, cap: usize) -> Result<Body, Error> {
    let mut bytes = Vec::new();
    // One byte more than wanted tells whether there is more. What came before an error
    // stays, and an end that was cut off is one where only a part was read.
    let most = u64::try_from(cap).unwrap_or(u64::MAX).saturating_add(1);
    let done = decoder.take(most).read_to_end(&mut bytes);
    if done.is_err() && !truncated {
        let message = "the response is not packed as its `content-encoding` says";
        return Err(Error::new(ErrorKind::Protocol, message));
    }
    if bytes.len() > cap {
        bytes.truncate(cap);
        truncated = true;
    }
    Ok(Body {
        bytes,
        truncated,
        packed: None,
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::{GzEncoder, ZlibEncoder};
    use toolhost_sdk::http::{Fake, Reply, Request};

    use super::*;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn fetch(packing: &str, bytes: Vec<u8>, cap: usize) -> Result<Body, Error> {
        let reply = Reply::bytes("text/plain", bytes).header("content-encoding", packing);
        let _network = Fake::new(move |_| Ok(reply.clone()));
        read(Request::get("https://a.example").send()?, cap)
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let body = fetch("GZIP", gzip(b"hello"), 100).unwrap();
        assert_eq!((&*body.bytes, body.truncated), (&b"hello"[..], false));
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"hello").unwrap();
        assert_eq!(
            fetch("deflate", encoder.finish().unwrap(), 100)
                .unwrap()
                .bytes,
            b"hello"
        );
    }

    #[test]
    fn a_bomb_stays_small() {
        let bomb = gzip(&vec![0; 10_000_000]);
        assert!(bomb.len() < 20_000);
        let body = fetch("gzip", bomb, 20_000).unwrap();
        assert_eq!((body.bytes.len(), body.truncated), (20_000, true));
    }

    #[test]
    fn a_part_is_unpacked_as_far_as_it_goes() {
        let text = (0..2000).fold(String::new(), |text, number| {
            text + &format!("line {number}\n")
        });
        let packed = gzip(text.as_bytes());
        let cap = packed.len() / 2;
        let body = fetch("gzip", packed, cap).unwrap();
        assert!(body.truncated && !body.bytes.is_empty());
        assert!(text.as_bytes().starts_with(&body.bytes));
    }

    #[test]
    fn what_is_packed_otherwise_says_so() {
        let body = fetch("br", vec![1, 2, 3], 100).unwrap();
        assert_eq!(body.packed.as_deref(), Some("br"));
        let error = fetch("gzip", b"hello".to_vec(), 100).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol);
    }
}
