package touchline.benchmarks.recordings;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A stretch of media on the time line of dates ({@code EXT-X-PROGRAM-DATE-TIME}). Immutable.
 *
 * @param beginUs microseconds since 1970
 * @param endUs the same, behind the last frame
 */
public record Span(long beginUs, long endUs) {
    public Span {
        if (endUs < beginUs) {
            throw new IllegalArgumentException("end: %d (>= %d)".formatted(endUs, beginUs));
        }
    }

    /** Of a segment or part. */
    public static Span of(Instant begin, double seconds) {
        long beginUs = us(begin);
        return new Span(beginUs, beginUs + Math.round(seconds * 1e6));
    }

    /** Microseconds since 1970. */
    public static long us(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    public long lengthUs() {
        return endUs - beginUs;
    }

    /**
     * What none of these has.
     *
     * @param others in order of their begin
     */
    List<Span> without(List<Span> others) {
        List<Span> rest = new ArrayList<>();
        long atUs = beginUs;
        for (Span other : others) {
            if (other.beginUs() >= endUs) {
                break;
            }
            if (other.beginUs() > atUs) {
                rest.add(new Span(atUs, other.beginUs()));
            }
            atUs = Math.max(atUs, other.endUs());
        }
        if (atUs < endUs) {
            rest.add(new Span(atUs, endUs));
        }
        return rest;
    }
}
