//! Files that are no text: found by their first bytes, named for a model.

/// How many bytes are looked at.
pub const SNIFFED: usize = 8 * 1024;

/// First bytes of kinds that models meet.
const SIGNATURES: [(&[u8], &str); 12] = [
    (b"\x89PNG\r\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a zip archive or office document"),
    (b"\x1f\x8b", "gzip data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\0asm", "WebAssembly"),
    (b"\x7fELF", "a program"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
];

/// What the file is, when its first bytes say that it is no text.
#[must_use]
pub fn binary(start: &[u8]) -> Option<&'static str> {
    let signature = SIGNATURES
        .iter()
        .find(|(first, _)| start.starts_with(first));
    match signature {
        Some((_, name)) => Some(name),
        None => start.contains(&0).then_some("binary data"),
    }
}

/// A size for people.
#[must_use]
pub fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    let value = bytes as f64;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{:.1} KiB", value / 1024.0),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", value / 1_048_576.0),
        _ => format!("{:.1} GiB", value / 1_073_741_824.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_data_is_known_by_its_start() {
        assert_eq!(binary(b"\x89PNG\r\n\x1a\n"), Some("a PNG image"));
        assert_eq!(binary(b"ab\0cd"), Some("binary data"));
        assert_eq!(binary("Grüße\n".as_bytes()), None);
        assert_eq!(binary(b""), None);
    }
}
