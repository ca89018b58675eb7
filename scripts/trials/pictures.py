"""Pictures to send to the shop: honest ones, and those made to hurt it."""
import base64
import os
import struct
import zlib

JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//"
    "2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAYADADASIAAhEBAxEB/8QA"
    "FgABAQEAAAAAAAAAAAAAAAAAAAQG/8QAFRABAQAAAAAAAAAAAAAAAAAAABP/xAAWAQEBAQAAAAAAAAAAAAAAAAAABgP/xAAaEQABBQEAAAAAAAAAAAAA"
    "AAAAAhMVUWEU/9oADAMBAAIRAxEAPwDN0KJaFG8ZhWyOlVCiWhQjMEjpVQoloUIzBI6SUKAuedFEa+uxQoBzooPrsUKAc6KD67P/2Q=="
)
GIF = base64.b64decode("R0lGODlhEAAIAPAAAP8AAAAAACH5BAAAAAAALAAAAAAQAAgAAAIKhI+py+0Po5ysAAA7")
WEBP = base64.b64decode(
    "UklGRnAAAABXRUJQVlA4IGQAAACwBACdASowABgAPrVWpU28JKOiJWmbgBaJaADGq8f5zvARf/tSgFf7gMboESBAAP7vBt96P54+6fVZaHI//Qul/BdHn1ii"
    "bC7YBdHh0EBdMCnnwKFxDquKL49VWLipDBnyAAAA"
)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, data=None, depth=8, colour=2):
    """`data` is what the picture's body unpacks to; without it, one colour."""
    if data is None:
        data = (b"\0" + b"\x8c\x2f\x1c" * width) * height
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(data, 1))
        + chunk(b"IEND", b"")
    )


def png_of_size(size):
    """A photograph as large as wanted to the byte: noise, and a remark that fills it up."""
    side = 1700
    noise = os.urandom(side * 3)
    rows = b"".join(b"\0" + noise[n % 97 :] + noise[: n % 97] for n in range(side))
    packer = zlib.compressobj(0)
    body = packer.compress(rows) + packer.flush()
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    end = chunk(b"IEND", b"")
    left = size - len(start) - len(end) - 12 - len(body) - 12
    assert left > 0, "the noise alone is larger"
    return start + chunk(b"tEXt", b"fill\0" + b"x" * (left - 5)) + chunk(b"IDAT", body) + end


def with_exif(jpeg, orientation):
    """The same photograph as a phone writes it: turned by a remark, with the place where it was taken."""
    gps = struct.pack("<H", 2) + struct.pack("<HHI4s", 1, 2, 2, b"N\0\0\0") + struct.pack("<HHII", 2, 5, 3, 80) + struct.pack("<I", 0)
    entries = [struct.pack("<HHII", 0x0112, 3, 1, orientation), struct.pack("<HHII", 0x8825, 4, 1, 38)]
    ifd = struct.pack("<H", len(entries)) + b"".join(entries) + struct.pack("<I", 0)
    tiff = b"II*\0" + struct.pack("<I", 8) + ifd
    tiff += gps
    tiff = tiff.ljust(80, b"\0") + struct.pack("<6I", 27, 1, 42, 1, 3, 1)
    app1 = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(app1) + 2) + app1 + jpeg[2:]


def riff(chunks):
    body = b"WEBP" + b"".join(kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) & 1) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def bombs():
    """Small on the way, enormous when unpacked; and files that are something else."""
    wide = struct.pack("<I", 16383)[:3]
    frame = b"\0" * 6 + wide + wide + struct.pack("<I", 40)[:3] + b"\0" + b"VP8 " + struct.pack("<I", len(WEBP) - 20) + WEBP[20:]
    yield "PNG of 400 million dots", png(20_000, 20_000, b"\0" * (2_501 * 20_000), depth=1, colour=0)
    yield "PNG whose body unpacks to 512 MB", png(64, 64, b"\0" * (512 << 20))
    yield "PNG of one enormous row", png(2_000_000, 1, b"\0" * 6_000_001)
    yield "PNG of 0 x 0", png(0, 0, b"")
    yield "PNG with a remark that unpacks to 256 MB", (
        png(8, 8)[:33] + chunk(b"zTXt", b"bomb\0\0" + zlib.compress(b"\0" * (256 << 20), 9)) + png(8, 8)[33:]
    )
    yield "GIF of 65535 x 65535", b"GIF89a" + struct.pack("<HH", 65535, 65535) + GIF[10:]
    yield "GIF with 50000 frames", GIF[:19] + GIF[19:-1] * 50_000 + b";"
    yield "animated WebP of 16383 x 16383 with 200 frames", riff(
        [(b"VP8X", b"\x02\0\0\0" + wide + wide), (b"ANIM", b"\0" * 6)] + [(b"ANMF", frame)] * 200
    )
    yield "JPEG that claims 65500 x 65500", JPEG.replace(b"\xff\xc0\x00\x11\x08\x00\x18\x00\x30", b"\xff\xc0\x00\x11\x08\xff\xdc\xff\xdc")
    yield "truncated PNG", png(300, 300)[:200]
    yield "truncated JPEG", JPEG[:180]
    yield "truncated WebP", WEBP[:40]
    yield "nothing", b""
    yield "random bytes", os.urandom(50_000)
    yield "random bytes after a PNG's first eight", b"\x89PNG\r\n\x1a\n" + os.urandom(50_000)
    yield "SVG", b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
    yield "HTML called .png", b"<!doctype html><script>alert(1)</script>"
    yield "PDF", b"%PDF-1.7\n1 0 obj<<>>endobj\n"
    yield "BMP", b"BM" + struct.pack("<IHHI", 70, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 2, 2, 1, 24, 0, 16, 0, 0, 0, 0) + b"\0" * 16
    yield "TIFF", b"II*\0\x08\0\0\0" + b"\0" * 60
