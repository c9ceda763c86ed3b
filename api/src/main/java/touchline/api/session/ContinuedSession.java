package touchline.api.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import touchline.api.cluster.ownership.ResumeRecord;
import touchline.api.domain.LatencyMode;
import touchline.api.domain.Session;
import touchline.api.domain.SuspendedSession;
import touchline.media.hub.InterruptedSession;
import touchline.packager.hls.LiveWindow;

/**
 * A session that this process continues. Immutable.
 *
 * @param suspended as the database has it
 * @param resumption present where it ran at another server: its media is there
 */
record ContinuedSession(SuspendedSession suspended, Optional<Resumption> resumption) {
    /** One that a planned stop of this server has left open. */
    static ContinuedSession of(SuspendedSession suspended) {
        return new ContinuedSession(suspended, Optional.empty());
    }

    /**
     * One of another server.
     *
     * @param stored its row, with the measurements so far
     * @param reconnectWindow of its stream
     */
    static ContinuedSession of(
            Resumption resumption, Session stored, Duration reconnectWindow, Instant now) {
        ResumeRecord record = resumption.record();
        Duration left = Duration.between(now, resumption.until());
        InterruptedSession interruption =
                new InterruptedSession(
                        stored.stream(),
                        stored.id(),
                        stored.startedAt(),
                        resumption.disconnectedAt(),
                        reconnectWindow,
                        left,
                        endUs(resumption, now),
                        record.nextTimeline());
        return new ContinuedSession(
                new SuspendedSession(
                        stored,
                        interruption,
                        resumption.until(),
                        new SuspendedSession.Settings(
                                LatencyMode.of(record.latencyMode()).orElse(LatencyMode.STANDARD),
                                record.recorded(),
                                record.composited(),
                                resumption.firstInit(),
                                record.playlistVersion()),
                        Optional.empty()),
                Optional.of(resumption));
    }

    /**
     * Media time at which the next segment starts: behind all that was published since the record.
     * It is where hls.js expects it, which otherwise stands still until media time is there: by the
     * dates in {@code low}, by the numbers and EXT-X-TARGETDURATION otherwise.
     */
    private static long endUs(Resumption resumption, Instant now) {
        ResumeRecord record = resumption.record();
        long sinceUs = (now.toEpochMilli() - newestEnd(record).toEpochMilli()) * 1_000;
        long leftOut = resumption.firstMediaSequence() - record.newest().number() - 1;
        long gapUs =
                record.latencyMode().equals(LatencyMode.LOW.wireName())
                        ? Math.max(0, sinceUs)
                        : leftOut * record.targetDurationS() * 1_000_000;
        return record.newest().endUs() + gapUs;
    }

    private static Instant newestEnd(ResumeRecord record) {
        return Instant.ofEpochMilli(record.newest().dateMs())
                .plusNanos(record.newest().durationUs() * 1_000);
    }

    /** Wall clock of {@link InterruptedSession#mediaEndUs}. */
    static Instant dateOfEnd(ResumeRecord record, long mediaEndUs) {
        return newestEnd(record).plusNanos((mediaEndUs - record.newest().endUs()) * 1_000);
    }

    SuspendedSession.Settings settings() {
        return suspended.settings();
    }

    Session session() {
        return suspended.session();
    }

    /** The settings of its window: its own, not those of a new session. */
    LiveWindow.Settings window(LiveWindow.Settings ofNew) {
        return new LiveWindow.Settings(
                ofNew.session(),
                ofNew.profile(),
                resumption
                        .map(it -> Duration.ofMillis(it.record().windowMs()))
                        .orElse(ofNew.window()),
                resumption.map(Resumption::firstMediaSequence).orElse(ofNew.firstMediaSequence()),
                settings().recorded(),
                settings().composited());
    }
}
