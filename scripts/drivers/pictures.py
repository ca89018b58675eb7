"""Pictures to send to the shop: ordinary ones, and those made to exhaust it."""

import base64
import os
import struct
import zlib
from collections.abc import Iterator

GIF = base64.b64decode("R0lGODlhEAAIAPAAAP8AAAAAACH5BAAAAAAALAAAAAAQAAgAAAIKhI+py+0Po5ysAAA7")
WEBP = base64.b64decode(
    "UklGRnAAAABXRUJQVlA4IGQAAACwBACdASowABgAPrVWpU28JKOiJWmbgBaJaADGq8f5zvARf/tSgFf7gMboESBAAP7vBt96P54+6fVZaHI//Qul/BdH"
    "n1iibC7YBdHh0EBdMCnnwKFxDquKL49VWLipDBnyAAAA"
)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes | None = None, depth: int = 8, colour: int = 2) -> bytes:
    """`data` is what the picture's body unpacks to; without it, one colour."""
    if data is None:
        data = (b"\0" + b"\x8c\x2f\x1c" * width) * height
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(data, 1)) + chunk(b"IEND", b"")


def bombs() -> Iterator[tuple[str, bytes, bool]]:
    """Small on the way, enormous when unpacked; and whether such a one may pass, because its first frame is harmless."""
    text = chunk(b"zTXt", b"bomb\0\0" + zlib.compress(b"\0" * (256 << 20), 9))
    yield "PNG of 400 million pixels", png(20_000, 20_000, b"\0" * (2_501 * 20_000), depth=1, colour=0), False
    yield "PNG whose body unpacks to 512 MB", png(64, 64, b"\0" * (512 << 20)), True
    yield "PNG of one enormous row", png(2_000_000, 1, b"\0" * 6_000_001), False
    yield "PNG with a comment that unpacks to 256 MB", png(8, 8)[:33] + text + png(8, 8)[33:], True
    yield "GIF of 65535 x 65535", b"GIF89a" + struct.pack("<HH", 65535, 65535) + GIF[10:], False
    yield "GIF with 50000 frames", GIF[:19] + GIF[19:-1] * 50_000 + b";", True
    yield "random bytes", os.urandom(50_000), False
    yield "random bytes after a PNG's first eight", png(1, 1)[:8] + os.urandom(50_000), False
