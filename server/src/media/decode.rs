//! The inside of the picture worker: it reads one picture from standard input and writes its widths as WebP to standard
//! output, in a process that has little memory and time and can open nothing (`sandbox.rs`). Anyone can send the
//! decoders arbitrary bytes; when a decoder fails, only this process dies.

use std::io::{Cursor, Read, Write};
use std::process::ExitCode;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::sniff::{self, MAX_SIDE, PictureFormat};
use super::{MediaError, PicturePurpose, Variant, sandbox};
use crate::platform::form::MAX_FILE;

/// The decoders' own limit is below that of the process, so that they return an error before the process is killed.
const MAX_DECODED_BYTES: u64 = 256 << 20;
const QUALITY: f32 = 80.0;

/// Exit codes that tell the server why the worker failed.
pub const UNDECODABLE: u8 = 2;
pub const TOO_MANY_PIXELS: u8 = 3;

impl PicturePurpose {
    /// Smallest first. A small picture is never enlarged: its own width replaces the larger ones.
    fn widths(self, own: u32) -> Vec<u32> {
        let wanted: &[u32] = match self {
            Self::Avatar => &[96, 256],
            Self::Product | Self::Category => &[320, 640, 1280],
            Self::Complaint => &[320, 1280],
        };
        let mut widths: Vec<u32> = wanted.iter().map(|width| own.min(*width)).collect();
        widths.dedup();
        widths
    }
}

/// Runs the worker process. Without a purpose it only reports how well it is sandboxed.
pub fn run_picture_worker(purpose: Option<PicturePurpose>) -> ExitCode {
    let done = match purpose {
        Some(purpose) => {
            sandbox::enter_sandbox(|_, _| {}).map_err(|_| MediaError::Worker(String::new())).and_then(|()| {
                let mut file = Vec::new();
                let most = u64::try_from(MAX_FILE).unwrap_or(u64::MAX);
                std::io::stdin().take(most).read_to_end(&mut file).map_err(|_| MediaError::Type)?;
                let variants = resize_picture(&file, purpose)?;
                write_frames(&mut std::io::stdout(), &variants).map_err(|_| MediaError::Type)
            })
        }
        None => report_sandbox().map_err(|_| MediaError::Worker(String::new())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(MediaError::TooManyPixels) => ExitCode::from(TOO_MANY_PIXELS),
        Err(MediaError::Worker(_)) => ExitCode::FAILURE,
        Err(_) => ExitCode::from(UNDECODABLE),
    }
}

/// Prints a line for each step into the sandbox: its name, how far the kernel enforces it and, in debug builds, how
/// each attempt to escape ended.
fn report_sandbox() -> std::io::Result<()> {
    let mut lines = String::new();
    sandbox::enter_sandbox(|step, enforced| {
        let attempts = sandbox::try_escapes().into_iter().map(|(attempt, ended)| format!(" {attempt}={ended}"));
        lines.extend([step, " ", enforced.name()]);
        lines.extend(attempts);
        lines.push('\n');
    })?;
    std::io::stdout().write_all(lines.as_bytes())
}

/// Writes each variant as its width, its length and its bytes.
fn write_frames(out: &mut impl Write, variants: &[Variant]) -> std::io::Result<()> {
    for variant in variants {
        let length = u32::try_from(variant.webp.len()).map_err(std::io::Error::other)?;
        out.write_all(&variant.width.to_le_bytes())?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&variant.webp)?;
    }
    out.flush()
}

/// Reads what `write_frames` wrote; `None` if it is malformed or empty.
pub fn read_frames(mut bytes: &[u8]) -> Option<Vec<Variant>> {
    let mut variants = Vec::new();
    while !bytes.is_empty() {
        let (width, rest) = bytes.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (webp, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        variants.push(Variant { width: u32::from_le_bytes(*width), webp: webp.to_vec() });
        bytes = rest;
    }
    (!variants.is_empty()).then_some(variants)
}

/// Decodes a picture and returns it in its widths, upright and without the file's metadata.
fn resize_picture(file: &[u8], purpose: PicturePurpose) -> Result<Vec<Variant>, MediaError> {
    let format = match sniff::sniff_format(file)? {
        PictureFormat::Jpeg => ImageFormat::Jpeg,
        PictureFormat::Png => ImageFormat::Png,
        PictureFormat::Gif => ImageFormat::Gif,
        PictureFormat::WebP => ImageFormat::WebP,
    };
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(to_media_error)?;
    decoder.set_limits(limits).map_err(to_media_error)?;
    let (width, height) = decoder.dimensions();
    sniff::check_size(width, height)?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    // Only the first frame of an animation is decoded.
    let picture = DynamicImage::from_decoder(decoder).map_err(to_media_error)?;
    let picture = match (picture.color().has_alpha(), picture) {
        (_, ready @ (DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_))) => ready,
        (true, other) => other.into_rgba8().into(),
        (false, other) => other.into_rgb8().into(),
    };
    encode_variants(picture, orientation, purpose)
}

fn to_media_error(error: ImageError) -> MediaError {
    match error {
        ImageError::Limits(_) => MediaError::TooManyPixels,
        _ => MediaError::Type,
    }
}

/// Resizes from wide to narrow, each variant from the one before. The widest is rotated after it was resized, because
/// there are fewer pixels then.
fn encode_variants(
    picture: DynamicImage,
    orientation: Orientation,
    purpose: PicturePurpose,
) -> Result<Vec<Variant>, MediaError> {
    let is_sideways = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    let (width, height) =
        if is_sideways { (picture.height(), picture.width()) } else { (picture.width(), picture.height()) };
    let (width, height) =
        if purpose == PicturePurpose::Avatar { (width.min(height), width.min(height)) } else { (width, height) };

    let mut variants = Vec::new();
    let mut current = picture;
    for (number, target) in purpose.widths(width).into_iter().rev().enumerate() {
        let high = scale_side(height, target, width);
        current = if number == 0 {
            let (target, high) = if is_sideways { (high, target) } else { (target, high) };
            let mut widest = thunse_pixels::resize(&current, target, high).ok_or(MediaError::Type)?;
            widest.apply_orientation(orientation);
            widest
        } else {
            thunse_pixels::resize(&current, target, high).ok_or(MediaError::Type)?
        };
        variants.push(Variant { width: target, webp: encode_webp(&current)? });
    }
    variants.reverse();
    Ok(variants)
}

/// Scales `side` by `part / whole`, rounded, to at least one pixel.
fn scale_side(side: u32, part: u32, whole: u32) -> u32 {
    let exact = (u64::from(side) * u64::from(part) + u64::from(whole) / 2) / u64::from(whole.max(1));
    u32::try_from(exact).unwrap_or(MAX_SIDE).max(1)
}

fn encode_webp(picture: &DynamicImage) -> Result<Vec<u8>, MediaError> {
    let encoder = webp::Encoder::from_rgba;
    let webp = match picture {
        DynamicImage::ImageRgba8(pixels) => encoder(pixels.as_raw(), pixels.width(), pixels.height()),
        DynamicImage::ImageRgb8(pixels) => webp::Encoder::from_rgb(pixels.as_raw(), pixels.width(), pixels.height()),
        _ => return Err(MediaError::Type),
    };
    Ok(webp.encode_simple(false, QUALITY).map_err(|_| MediaError::Type)?.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_never_enlarged() {
        assert_eq!(PicturePurpose::Product.widths(4_000), [320, 640, 1280]);
        assert_eq!(PicturePurpose::Product.widths(640), [320, 640]);
        assert_eq!(PicturePurpose::Product.widths(500), [320, 500]);
        assert_eq!(PicturePurpose::Category.widths(100), [100]);
        assert_eq!(PicturePurpose::Avatar.widths(4_000), [96, 256]);
    }

    #[test]
    fn what_the_worker_says_is_understood() {
        let variants = [Variant { width: 96, webp: vec![1, 2] }, Variant { width: 256, webp: vec![3] }];
        let mut output = Vec::new();
        write_frames(&mut output, &variants).unwrap();

        let read_back = read_frames(&output).unwrap();

        assert_eq!(
            read_back.iter().map(|one| (one.width, one.webp.as_slice())).collect::<Vec<_>>(),
            [(96, &[1, 2][..]), (256, &[3])]
        );
        assert!(read_frames(&output[..output.len() - 1]).is_none());
        assert!(read_frames(b"").is_none());
    }
}
