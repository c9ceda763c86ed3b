package touchline.benchmarks.hostile;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import touchline.benchmarks.load.FlvFile.Tag;

/**
 * Damages one of ten tags, knowing where a tag has its header, its NAL lengths and its payload. The
 * same seed gives the same damage. One thread.
 */
final class FlvMutator {
    private static final int VIDEO = 9;
    private static final int NAL_LENGTH_AT = 5;
    private static final int RATE = 10;
    private static final int MOST_BYTES = 16;
    private static final int[] LENGTHS = {0, 1, 0x7FFF, 0x10_0000, 0x7FFF_FFFF, -1};
    private static final int[] JUMPS_MS = {-3_600_000, -500, -40, 40, 500, 90_000, 0x7FFF_0000};

    private final SplittableRandom random;

    /** What happens to a tag. */
    private enum Damage {
        FLIPPED_BITS,
        FLIPPED_SLICE_HEADER,
        CUT,
        NAL_LENGTH,
        TAG_HEADER,
        TIMESTAMP,
        ZEROS,
        LONGER
    }

    FlvMutator(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns the tag as it is, or damaged. */
    Tag next(Tag tag) {
        if (random.nextInt(RATE) != 0 || tag.body().remaining() <= NAL_LENGTH_AT + 4) {
            return tag;
        }
        byte[] body = new byte[tag.body().remaining()];
        tag.body().get(tag.body().position(), body);
        int timestampMs = tag.timestampMs();
        Damage damage = Damage.values()[random.nextInt(Damage.values().length)];
        switch (damage) {
            case FLIPPED_BITS -> flip(body, NAL_LENGTH_AT + 4, body.length);
            case FLIPPED_SLICE_HEADER ->
                    flip(body, NAL_LENGTH_AT + 4, Math.min(body.length, NAL_LENGTH_AT + 24));
            case CUT -> body = Arrays.copyOf(body, random.nextInt(body.length));
            case NAL_LENGTH -> {
                if (tag.type() == VIDEO) {
                    int length = LENGTHS[random.nextInt(LENGTHS.length)];
                    ByteBuffer.wrap(body).putInt(NAL_LENGTH_AT, length);
                }
            }
            case TAG_HEADER -> flip(body, 0, 2);
            case TIMESTAMP -> timestampMs += JUMPS_MS[random.nextInt(JUMPS_MS.length)];
            case ZEROS -> Arrays.fill(body, random.nextInt(body.length), body.length, (byte) 0);
            case LONGER -> {
                int before = body.length;
                body = Arrays.copyOf(body, before + 1 + random.nextInt(1 << 16));
                byte[] more = new byte[body.length - before];
                random.nextBytes(more);
                System.arraycopy(more, 0, body, before, more.length);
            }
        }
        return new Tag(tag.type(), timestampMs, ByteBuffer.wrap(body));
    }

    private void flip(byte[] body, int from, int to) {
        for (int i = random.nextInt(MOST_BYTES) + 1; i > 0 && from < to; i--) {
            body[random.nextInt(from, to)] ^= (byte) (1 << random.nextInt(8));
        }
    }
}
