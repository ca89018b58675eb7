//! Reads the type of a file, and the size of picture that it claims to be, from its headers. It is written by hand
//! because it runs in the server process: it neither decodes nor allocates.

use super::MediaError;

pub const MAX_SIDE: u32 = 8_192;
/// Phones take pictures of 12 to 50 megapixels; 40 megapixels take 160 MB when they are decoded.
pub const MAX_PIXELS: u64 = 40_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    Jpeg,
    Png,
    Gif,
    WebP,
}

/// Ignores the file name and the content type that the browser sent.
pub fn sniff_format(file: &[u8]) -> Result<PictureFormat, MediaError> {
    let (kind, size) = if file.starts_with(b"\xff\xd8\xff") {
        (PictureFormat::Jpeg, jpeg_size(file))
    } else if file.starts_with(b"\x89PNG\r\n\x1a\n") {
        (PictureFormat::Png, png_size(file))
    } else if file.starts_with(b"GIF87a") || file.starts_with(b"GIF89a") {
        (PictureFormat::Gif, read_u16_pair(file, 6))
    } else if file.starts_with(b"RIFF") && bytes_at(file, 8) == Some(*b"WEBP") {
        (PictureFormat::WebP, webp_size(file))
    } else {
        return Err(MediaError::Type);
    };
    let (width, height) = size.ok_or(MediaError::Type)?;
    check_size(width, height)?;
    Ok(kind)
}

pub fn check_size(width: u32, height: u32) -> Result<(), MediaError> {
    if width == 0 || height == 0 {
        return Err(MediaError::Type);
    }
    if width > MAX_SIDE || height > MAX_SIDE || u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(MediaError::TooManyPixels);
    }
    Ok(())
}

fn bytes_at<const N: usize>(file: &[u8], from: usize) -> Option<[u8; N]> {
    file.get(from..from.checked_add(N)?)?.try_into().ok()
}

fn read_u16_pair(file: &[u8], from: usize) -> Option<(u32, u32)> {
    let [a, b, c, d] = bytes_at(file, from)?;
    Some((u16::from_le_bytes([a, b]).into(), u16::from_le_bytes([c, d]).into()))
}

fn png_size(file: &[u8]) -> Option<(u32, u32)> {
    if bytes_at(file, 12)? != *b"IHDR" {
        return None;
    }
    Some((u32::from_be_bytes(bytes_at(file, 16)?), u32::from_be_bytes(bytes_at(file, 20)?)))
}

/// Walks from segment to segment until the start of a frame.
fn jpeg_size(file: &[u8]) -> Option<(u32, u32)> {
    let mut position = 2_usize;
    loop {
        let [mark, code] = bytes_at(file, position)?;
        if mark != 0xff {
            return None;
        }
        position = position.checked_add(1)?;
        if code == 0xff {
            // Padding.
            continue;
        }
        position = position.checked_add(1)?;
        match code {
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => {
                let [height_high, height_low, width_high, width_low] = bytes_at(file, position.checked_add(3)?)?;
                let side = |high, low| u32::from(u16::from_be_bytes([high, low]));
                return Some((side(width_high, width_low), side(height_high, height_low)));
            }
            // Pixel data, or the end of the image, came before any frame.
            0xd8..=0xda => return None,
            _ => {}
        }
        position = position.checked_add(usize::from(u16::from_be_bytes(bytes_at(file, position)?)))?;
    }
}

fn webp_size(file: &[u8]) -> Option<(u32, u32)> {
    const FOURTEEN_BITS: u32 = 0x3fff;
    match &bytes_at::<4>(file, 12)? {
        b"VP8X" => {
            let [w0, w1, w2, h0, h1, h2] = bytes_at(file, 24)?;
            Some((u32::from_le_bytes([w0, w1, w2, 0]) + 1, u32::from_le_bytes([h0, h1, h2, 0]) + 1))
        }
        b"VP8L" => {
            let bits = u32::from_le_bytes(bytes_at(file, 21)?);
            Some(((bits & FOURTEEN_BITS) + 1, ((bits >> 14) & FOURTEEN_BITS) + 1))
        }
        b"VP8 " => {
            let (width, height) = read_u16_pair(file, 26)?;
            Some((width & FOURTEEN_BITS, height & FOURTEEN_BITS))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, ImageFormat};
    use proptest::prelude::*;

    use super::*;

    fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
        let mut file = std::io::Cursor::new(Vec::new());
        DynamicImage::new_rgb8(width, height).write_to(&mut file, format).unwrap();
        file.into_inner()
    }

    #[test]
    fn every_kind_is_known_by_its_content() {
        for (format, kind) in [
            (ImageFormat::Jpeg, PictureFormat::Jpeg),
            (ImageFormat::Png, PictureFormat::Png),
            (ImageFormat::Gif, PictureFormat::Gif),
            (ImageFormat::WebP, PictureFormat::WebP),
        ] {
            assert_eq!(sniff_format(&picture(format, 30, 20)).unwrap(), kind);
        }
    }

    #[test]
    fn a_size_is_read_the_right_way_round() {
        assert_eq!(jpeg_size(&picture(ImageFormat::Jpeg, 30, 20)), Some((30, 20)));
        assert_eq!(png_size(&picture(ImageFormat::Png, 30, 20)), Some((30, 20)));
        assert_eq!(read_u16_pair(&picture(ImageFormat::Gif, 30, 20), 6), Some((30, 20)));
        assert_eq!(webp_size(&picture(ImageFormat::WebP, 30, 20)), Some((30, 20)));
    }

    #[test]
    fn what_is_not_a_picture_is_refused() {
        for file in [
            &b""[..],
            b"<svg xmlns='http://www.w3.org/2000/svg'/>",
            b"<!doctype html>",
            b"%PDF-1.7",
            b"\xff\xd8\xff",
            b"GIF89a",
        ] {
            assert!(matches!(sniff_format(file), Err(MediaError::Type)), "{file:?}");
        }
    }

    #[test]
    fn the_limits_are_where_they_are_said_to_be() {
        assert!(check_size(8_192, 4_882).is_ok());
        assert!(matches!(check_size(8_192, 4_883), Err(MediaError::TooManyPixels)));
        assert!(matches!(check_size(8_193, 1), Err(MediaError::TooManyPixels)));
        assert!(matches!(check_size(0, 1), Err(MediaError::Type)));
    }

    proptest! {
        #[test]
        fn no_bytes_upset_it(start in 0_usize..5, rest in proptest::collection::vec(any::<u8>(), 0..200)) {
            let starts: [&[u8]; 5] = [b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"GIF89a", b"RIFF\0\0\0\0WEBPVP8X"];
            let _ = sniff_format(&[starts[start], &rest].concat());
        }
    }
}
