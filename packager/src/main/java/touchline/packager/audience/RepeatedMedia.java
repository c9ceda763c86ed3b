package touchline.packager.audience;

/**
 * Estimates how many players share an address and a user agent. A player requests each segment
 * once, so a segment that was sent three times went to three players. Remembers {@value #PLACES}
 * segments; the newer one keeps a place that two share. Not thread-safe.
 */
final class RepeatedMedia {
    private static final int PLACES = 16;
    private static final int COUNT_BITS = 12;
    private static final int SECOND_BITS = 20;
    private static final int MAX_COUNT = (1 << COUNT_BITS) - 1;
    private static final int SECONDS = (1 << SECOND_BITS) - 1;

    /** 32 bits of the segment's hash, its count, and the second in which it was sent first. */
    private final long[] places = new long[PLACES];

    /**
     * A segment was sent.
     *
     * @param media hash of its name
     */
    void sent(long media, int nowSeconds) {
        int place = (int) (media >>> 60);
        long mark = media << 32;
        long before = places[place];
        if (mark != (before & 0xffff_ffff_0000_0000L) || count(before) == 0) {
            places[place] = mark | 1L << SECOND_BITS | (nowSeconds & SECONDS);
        } else if (count(before) < MAX_COUNT) {
            places[place] = before + (1L << SECOND_BITS);
        }
    }

    /** The largest count of segments sent first in this window; 0 if there is none. */
    int players(int nowSeconds, int windowSeconds) {
        int most = 0;
        for (long place : places) {
            int age = (nowSeconds - (int) place) & SECONDS;
            if (age <= windowSeconds) {
                most = Math.max(most, count(place));
            }
        }
        return most;
    }

    private static int count(long place) {
        return (int) (place >>> SECOND_BITS) & MAX_COUNT;
    }
}
