package touchline.api.backup;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * The header of a regular file in a tar archive (POSIX.1-2024, pax, "ustar Interchange Format").
 * Archives of backups have no other kind of entry, and no extended headers: names are short and in
 * ASCII. A file of 8 GiB or more has its size in base 256, as GNU tar and bsdtar write it.
 *
 * @param name path with {@code /}, at most 255 characters
 * @param sizeBytes of the file
 */
record TarHeader(String name, long sizeBytes) {
    static final int BLOCK_BYTES = 512;

    /** mode: its owner may read and write. */
    private static final int MODE = 0600;

    private static final int NAME_BYTES = 100;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_BYTES = 155;
    private static final int MODE_AT = 100;
    private static final int UID_AT = 108;
    private static final int GID_AT = 116;
    private static final int SIZE_AT = 124;
    private static final int NUMBER_BYTES = 12;
    private static final int TIME_AT = 136;
    private static final int SUM_AT = 148;
    private static final int SUM_BYTES = 8;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;
    private static final byte[] MAGIC = "ustar\00000".getBytes(StandardCharsets.US_ASCII);
    private static final long MAX_OCTAL = (1L << 33) - 1;
    private static final int BASE_256 = 0x80;

    TarHeader {
        if (sizeBytes < 0) {
            throw new IllegalArgumentException("sizeBytes: " + sizeBytes + " (>= 0)");
        }
    }

    /** Whether this is the name of an entry that fits a header. */
    static boolean fits(String name) {
        return split(name) >= 0;
    }

    /** Where the name proper begins; -1 if it does not fit. */
    private static int split(String name) {
        if (name.length() <= NAME_BYTES) {
            return 0;
        }
        int slash = name.indexOf('/', name.length() - NAME_BYTES - 1);
        return slash > 0 && slash <= PREFIX_BYTES ? slash + 1 : -1;
    }

    /** Bytes that fill the last block of a file. */
    static int padding(long sizeBytes) {
        return (int) (-sizeBytes & (BLOCK_BYTES - 1));
    }

    /**
     * @param modifiedAt of the file
     */
    byte[] encoded(Instant modifiedAt) {
        int start = split(name);
        if (start < 0) {
            throw new IllegalArgumentException("name: " + name + " (expected: a shorter one)");
        }
        byte[] block = new byte[BLOCK_BYTES];
        ascii(name.substring(start), block, 0);
        if (start > 0) {
            ascii(name.substring(0, start - 1), block, PREFIX_AT);
        }
        octal(MODE, block, MODE_AT, SUM_BYTES);
        octal(0, block, UID_AT, SUM_BYTES);
        octal(0, block, GID_AT, SUM_BYTES);
        if (sizeBytes <= MAX_OCTAL) {
            octal(sizeBytes, block, SIZE_AT, NUMBER_BYTES);
        } else {
            block[SIZE_AT] = (byte) BASE_256;
            for (int i = 0; i < Long.BYTES; i++) {
                block[SIZE_AT + NUMBER_BYTES - 1 - i] = (byte) (sizeBytes >>> (8 * i));
            }
        }
        octal(Math.max(0, modifiedAt.getEpochSecond()), block, TIME_AT, NUMBER_BYTES);
        block[TYPE_AT] = '0';
        System.arraycopy(MAGIC, 0, block, MAGIC_AT, MAGIC.length);
        writeSum(block);
        return block;
    }

    /** Six digits, NUL and a space. */
    private static void writeSum(byte[] block) {
        octal(sum(block), block, SUM_AT, SUM_BYTES - 1);
        block[SUM_AT + SUM_BYTES - 2] = 0;
        block[SUM_AT + SUM_BYTES - 1] = ' ';
    }

    /** Whether a block is one of those at the end of an archive. */
    static boolean isEnd(byte[] block) {
        for (byte each : block) {
            if (each != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * @throws DamagedArchiveException unless it is the header of a regular file
     */
    static TarHeader decoded(byte[] block) throws DamagedArchiveException {
        byte[] summed = block.clone();
        writeSum(summed);
        boolean isUstar =
                Arrays.equals(block, MAGIC_AT, MAGIC_AT + MAGIC.length, MAGIC, 0, MAGIC.length);
        if (!isUstar || !Arrays.equals(block, summed)) {
            throw new DamagedArchiveException("a header is damaged, or this is no backup");
        }
        if (block[TYPE_AT] != '0') {
            throw new DamagedArchiveException(
                    "an entry of type %d (expected: regular files only)".formatted(block[TYPE_AT]));
        }
        String prefix = text(block, PREFIX_AT, PREFIX_BYTES);
        String last = text(block, 0, NAME_BYTES);
        long size = number(block, SIZE_AT, NUMBER_BYTES);
        if (size < 0) {
            throw new DamagedArchiveException(last + ": size " + size + " (>= 0)");
        }
        return new TarHeader(prefix.isEmpty() ? last : prefix + "/" + last, size);
    }

    private static void ascii(String text, byte[] block, int at) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    /** Digits up to the field's last byte, which is NUL. */
    private static void octal(long value, byte[] block, int at, int length) {
        String digits = Long.toOctalString(value);
        ascii("0".repeat(length - 1 - digits.length()) + digits, block, at);
    }

    private static String text(byte[] block, int at, int length) {
        int end = at;
        while (end < at + length && block[end] != 0) {
            end++;
        }
        return new String(block, at, end - at, StandardCharsets.ISO_8859_1);
    }

    private static long number(byte[] block, int at, int length) throws DamagedArchiveException {
        if (block[at] == (byte) BASE_256) {
            long value = 0;
            for (int i = length - Long.BYTES; i < length; i++) {
                value = value << 8 | (block[at + i] & 0xFF);
            }
            return value;
        }
        String digits = text(block, at, length).strip();
        try {
            return Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new DamagedArchiveException("a number in a header is damaged", e);
        }
    }

    /** Sum of the bytes, those of the sum itself taken as spaces. */
    private static long sum(byte[] block) {
        long sum = 0;
        for (int i = 0; i < block.length; i++) {
            sum += i >= SUM_AT && i < SUM_AT + SUM_BYTES ? ' ' : block[i] & 0xFF;
        }
        return sum;
    }
}
