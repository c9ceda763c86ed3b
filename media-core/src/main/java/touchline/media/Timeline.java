package touchline.media;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Media with continuous timestamps and constant tracks. Every timeline after a session's first
 * follows a discontinuity (RFC 8216, 4.3.2.3). Media time increases across all timelines of a
 * session. Immutable, any thread.
 *
 * @param sequence 0 for the session's first, then increased by one
 * @param tracks at least one, at most one of each kind, video first
 * @param startUs start in media time, in microseconds: its smallest decode time
 * @param startedAt wall clock at {@code startUs}, for EXT-X-PROGRAM-DATE-TIME
 */
public record Timeline(int sequence, List<Track> tracks, long startUs, Instant startedAt)
        implements FeedItem {
    public Timeline {
        tracks = List.copyOf(tracks);
        if (tracks.isEmpty()) {
            throw new IllegalArgumentException("timeline without tracks");
        }
    }

    /** Returns the wall clock time of a media time of this timeline. */
    public Instant wallClock(long mediaUs) {
        return startedAt.plus(Duration.ofNanos((mediaUs - startUs) * 1_000));
    }

    public Optional<Track> video() {
        return tracks.stream().filter(Track::isVideo).findFirst();
    }

    public Optional<Track> audio() {
        return tracks.stream().filter(track -> !track.isVideo()).findFirst();
    }
}
