//! Generated pictures, and files that claim to be pictures.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

pub const RED: [u8; 3] = [200, 30, 30];
pub const BLUE: [u8; 3] = [30, 30, 200];

/// A picture that is red on the left and blue on the right.
pub fn two_halves(width: u32, height: u32) -> DynamicImage {
    RgbImage::from_fn(width, height, |x, _| Rgb(if x < width / 2 { RED } else { BLUE })).into()
}

/// A red disc on a transparent background.
pub fn disc(side: u32) -> DynamicImage {
    let middle = i64::from(side / 2);
    RgbaImage::from_fn(side, side, |x, y| {
        let (x, y) = (i64::from(x) - middle, i64::from(y) - middle);
        if x * x + y * y < middle * middle { Rgba([200, 30, 30, 255]) } else { Rgba([0, 0, 0, 0]) }
    })
    .into()
}

pub fn encode(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// A JPEG as a phone writes it: lying on its side with orientation 6 (rotate by 90° clockwise), and with GPS data.
pub fn phone_photo(picture: &DynamicImage) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [&tag.to_be_bytes()[..], &kind.to_be_bytes(), &count.to_be_bytes(), &value].concat()
    };
    let exif = [
        &b"Exif\0\0MM\0\x2a\0\0\0\x08"[..],
        &2_u16.to_be_bytes(),
        &entry(0x0112, 3, 1, [0, 6, 0, 0]),
        // The GPS directory starts at byte 38.
        &entry(0x8825, 4, 1, 38_u32.to_be_bytes()),
        &0_u32.to_be_bytes(),
        &1_u16.to_be_bytes(),
        &entry(0x0001, 2, 2, *b"N\0\0\0"),
        &0_u32.to_be_bytes(),
        b"27.7172N 85.3240E Kathmandu",
    ]
    .concat();
    with_segment(&encode(picture, ImageFormat::Jpeg), 0xe1, &exif)
}

/// Returns the JPEG with one more segment directly after its start.
pub fn with_segment(jpeg: &[u8], marker: u8, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len() + 2).unwrap();
    [&jpeg[..2], &[0xff, marker], &length.to_be_bytes(), content, &jpeg[2..]].concat()
}

fn png_chunk(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    let named = [&name[..], content].concat();
    let mut sum = flate2::Crc::new();
    sum.update(&named);
    let length = u32::try_from(content.len()).unwrap();
    [&length.to_be_bytes()[..], &named, &sum.sum().to_be_bytes()].concat()
}

/// A PNG whose header has this size and whose pixel data is `packed`.
pub fn png(width: u32, height: u32, packed: &[u8]) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let chunks = [png_chunk(*b"IHDR", &header), png_chunk(*b"IDAT", packed), png_chunk(*b"IEND", b"")].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks].concat()
}

/// Returns zeros in compressed form, which are very few bytes.
pub fn packed_zeros(count: usize) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![0; 1 << 20];
    for start in (0..count).step_by(zeros.len()) {
        packer.write_all(&zeros[..zeros.len().min(count - start)]).unwrap();
    }
    packer.finish().unwrap()
}

/// A GIF with this screen size and one truncated frame of this size.
pub fn gif(screen: (u16, u16), frame: (u16, u16)) -> Vec<u8> {
    let size = |(width, height): (u16, u16)| [width.to_le_bytes(), height.to_le_bytes()].concat();
    [
        &b"GIF89a"[..],
        &size(screen),
        b"\x80\0\0\0\0\0\xff\xff\xff",
        b"\x2c\0\0\0\0",
        &size(frame),
        b"\0\x02\x02\x44\x01\0\x3b",
    ]
    .concat()
}

fn riff(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (name, content) in chunks {
        body.extend_from_slice(*name);
        body.extend_from_slice(&u32::try_from(content.len()).unwrap().to_le_bytes());
        body.extend_from_slice(content);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [&b"RIFF"[..], &u32::try_from(body.len()).unwrap().to_le_bytes(), &body].concat()
}

fn minus_one(side: u32) -> [u8; 3] {
    let [a, b, c, _] = (side - 1).to_le_bytes();
    [a, b, c]
}

/// An animated WebP with this canvas and two frames, whose headers have the size `frame` and whose data is `inside`.
pub fn animated_webp(canvas: u32, frame: u32, inside: &[u8]) -> Vec<u8> {
    let extended = [&[0x02, 0, 0, 0][..], &minus_one(canvas), &minus_one(canvas)].concat();
    let mut one = [&[0; 6][..], &minus_one(frame), &minus_one(frame), &[100, 0, 0, 0]].concat();
    one.extend_from_slice(inside);
    riff(&[(b"VP8X", extended), (b"ANIM", vec![0; 6]), (b"ANMF", one.clone()), (b"ANMF", one)])
}

/// Returns the chunks of a still WebP, without the file header.
pub fn webp_chunks(still: &[u8]) -> Vec<u8> {
    still[12..].to_vec()
}

/// A lossless WebP whose header has this size and whose data ends directly after it.
pub fn empty_lossless(side: u32) -> Vec<u8> {
    let bits = (side - 1) | ((side - 1) << 14);
    riff(&[(b"VP8L", [&[0x2f][..], &bits.to_le_bytes(), &[0; 8]].concat())])
}
