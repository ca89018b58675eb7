//! Resizes pictures. This is a separate crate because the resizer is generic and is compiled where it is called: a
//! development build of the server would compile it without optimisation, and a photo of twelve megapixels would take
//! four seconds instead of a tenth of one. This crate is always optimised.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{PixelTrait, ResizeOptions, Resizer};
use image::{DynamicImage, RgbImage, RgbaImage};

/// Resizes a picture to this size. Where the proportions differ, it is cropped around its centre. Returns `None` for
/// pixels other than 8-bit RGB or RGBA: the resizer supports thirteen pixel types, and each more would add ten seconds
/// to the compile time.
#[must_use]
pub fn resize(picture: &DynamicImage, width: u32, height: u32) -> Option<DynamicImage> {
    let from = (picture.width(), picture.height());
    match picture {
        DynamicImage::ImageRgb8(pixels) => {
            let mut target = RgbImage::new(width, height);
            resize_pixels::<U8x3>(pixels, from, &mut target, (width, height))?;
            Some(target.into())
        }
        DynamicImage::ImageRgba8(pixels) => {
            let mut target = RgbaImage::new(width, height);
            resize_pixels::<U8x4>(pixels, from, &mut target, (width, height))?;
            Some(target.into())
        }
        _ => None,
    }
}

fn resize_pixels<P: PixelTrait>(source: &[u8], from: (u32, u32), target: &mut [u8], to: (u32, u32)) -> Option<()> {
    let source = TypedImageRef::<P>::from_buffer(from.0, from.1, source).ok()?;
    let mut target = TypedImage::<P>::from_buffer(to.0, to.1, target).ok()?;
    let options = ResizeOptions::new().fit_into_destination(Some((0.5, 0.5)));
    Resizer::new().resize_typed(&source, &mut target, &options).ok()
}
