package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.StreamDefinition;
import touchline.api.domain.TrackStatus;
import touchline.api.scoreboard.SessionProgram;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.hub.FeedReader;
import touchline.media.hub.IngestReport;
import touchline.media.hub.LiveStream;
import touchline.media.hub.Subscription;
import touchline.media.rendition.Ladder;
import touchline.media.rendition.RenditionEncoding;
import touchline.media.rendition.RenditionFormat;
import touchline.media.rendition.RenditionLadder;
import touchline.media.rendition.RenditionListener;
import touchline.media.rendition.RenditionSettings;
import touchline.media.rendition.RenditionStatus;

/**
 * The renditions of one session: connects their encoders, and the further tracks of the session's
 * own encoder, with their packaging, and records what happens to them. Any thread.
 */
final class SessionRenditions implements RenditionListener, AutoCloseable {
    /** Code of {@code live_stream.warning}: a rendition is not encoded because of load. */
    static final String DROPPED = "rendition_dropped";

    /** Code of a warning: a rendition is not below the source. */
    static final String LEFT_OUT = "rendition_left_out";

    /** Payload that may wait; the ladder drops renditions before this is full. */
    private static final long QUEUE_BYTES = RenditionLadder.QUEUE_BYTES;

    private final LiveStream live;
    private final SessionDependencies dependencies;
    private final Subscription early;
    private final SessionTracks tracks;
    private final ReentrantLock lock = new ReentrantLock();

    /** The newest of each code. */
    @GuardedBy("lock")
    private final Map<String, IngestReport.Warning> warnings = new LinkedHashMap<>();

    @GuardedBy("lock")
    private final List<String> leftOut = new ArrayList<>();

    // Set by the session's thread, read by any.
    private volatile @Nullable RenditionLadder ladder;

    // Set before the ladder starts.
    private volatile @Nullable RenditionPackaging packaging;

    /** Created before the session's first item, so that renditions miss nothing. */
    SessionRenditions(LiveStream live, SessionDependencies dependencies) {
        this.live = live;
        this.dependencies = dependencies;
        this.early = live.program().subscribe("renditions", QUEUE_BYTES);
        this.tracks =
                new SessionTracks(
                        live, dependencies.renditions().tracks(), this::warn, System::nanoTime);
    }

    /**
     * Prepares what the stream wants; called once.
     *
     * @param program not opened yet; its compositors share their frames
     */
    void open(StreamDefinition stream, SessionProgram program) {
        RenditionSettings settings = stream.settings().renditions();
        Optional<RenditionEncoding> encoding =
                settings.isEmpty() ? Optional.empty() : dependencies.renditions().encoding();
        if (encoding.isEmpty()) {
            early.close();
            if (!settings.isEmpty()) {
                warn(DROPPED, "this host has no video encoder that may be used (see doctor)");
            }
            return;
        }
        RenditionLadder made =
                new RenditionLadder(
                        live.session().value(),
                        settings,
                        new RenditionLadder.Dependencies(
                                encoding.get(),
                                dependencies.renditions().rules(),
                                dependencies.renditions().counters(),
                                this,
                                System::nanoTime));
        ladder = made;
        program.share(made.tap());
    }

    /**
     * Starts: what the encoder sends itself, and what the session wants besides.
     *
     * @param program opened
     */
    void start(RenditionPackaging target, SessionProgram program) {
        packaging = target;
        tracks.start(target);
        RenditionLadder made = ladder;
        if (made == null) {
            return;
        }
        if (program.composited()) {
            // Viewers get the compositor's media from the first frame on, not the source's.
            early.close();
            made.start(live.program().subscribe("renditions", QUEUE_BYTES));
        } else {
            made.start(early);
        }
    }

    /** Made and sent by the encoder, the largest first. */
    List<RenditionStatus> status() {
        RenditionLadder made = ladder;
        List<RenditionStatus> all = new ArrayList<>(made == null ? List.of() : made.status());
        // A height that the encoder sends is not made from its next key frame on.
        all.removeIf(each -> tracks.serves(each.format().name()));
        tracks.status().stream().filter(TrackStatus::video).map(this::status).forEach(all::add);
        all.sort(
                Comparator.comparingLong((RenditionStatus each) -> each.format().pixels())
                        .reversed());
        return all;
    }

    private RenditionStatus status(TrackStatus track) {
        return new RenditionStatus(
                new RenditionFormat(
                        Math.min(track.width(), track.height()),
                        track.width(),
                        track.height(),
                        Math.toIntExact(Math.clamp(track.bitrateBps(), 1, Integer.MAX_VALUE)),
                        /* frameRate= */ 0),
                Optional.of(track.codecs()),
                track.running());
    }

    /** What the encoder sends beside the first tracks. */
    List<TrackStatus> tracks() {
        return tracks.status();
    }

    /** For the session's record. */
    List<IngestReport.Warning> warnings() {
        lock.lock();
        try {
            return List.copyOf(warnings.values());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void started(RenditionFormat format, FeedReader units) {
        RenditionPackaging target = packaging;
        if (target == null || tracks.serves(format.name())) {
            units.close();
        } else {
            target.start(format.name(), units);
        }
    }

    @Override
    public void ended(RenditionFormat format) {
        stopPackaging(format);
    }

    @Override
    public void dropped(RenditionFormat format, String reason) {
        stopPackaging(format);
        if (tracks.serves(format.name())) {
            return;
        }
        warn(DROPPED, "the %s rendition is dropped: %s".formatted(format.name(), reason));
    }

    private void stopPackaging(RenditionFormat format) {
        RenditionPackaging target = packaging;
        if (target != null && !tracks.serves(format.name())) {
            target.drop(format.name());
        }
    }

    @Override
    public Set<Integer> provided() {
        return tracks.heights();
    }

    @Override
    public void leftOut(int height, Ladder.Source source) {
        String all;
        lock.lock();
        try {
            leftOut.add(height + "p");
            all = leftOut.stream().collect(Collectors.joining(", "));
        } finally {
            lock.unlock();
        }
        warn(
                LEFT_OUT,
                "renditions that are not below the source (%dx%d) are left out: %s"
                        .formatted(source.width(), source.height(), all));
    }

    @Override
    public Set<String> late() {
        RenditionPackaging target = packaging;
        return target == null
                ? Set.of()
                : target.late().stream()
                        .filter(name -> !tracks.serves(name))
                        .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        live.refused(cause);
    }

    private void warn(String code, String message) {
        Instant now = dependencies.clock().instant();
        IngestReport.Warning warning = new IngestReport.Warning(code, message, now);
        lock.lock();
        try {
            warnings.put(code, warning);
        } finally {
            lock.unlock();
        }
        dependencies.journal().warned(live, warning);
    }

    /** Ends all renditions at once. Idempotent. */
    @Override
    public void close() {
        tracks.close();
        RenditionLadder made = ladder;
        if (made != null) {
            made.close();
        }
        early.close();
    }
}
