package touchline.api.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import touchline.api.domain.StreamDefinition;
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
 * The renditions of one session: connects their encoders with their packaging, and records what
 * happens to them. Any thread.
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

    /** Whether the session may have renditions. */
    boolean isWanted() {
        return ladder != null;
    }

    /**
     * Starts, if the session may have renditions.
     *
     * @param program opened
     */
    void start(RenditionPackaging target, SessionProgram program) {
        RenditionLadder made = ladder;
        if (made == null) {
            return;
        }
        packaging = target;
        if (program.composited()) {
            // Viewers get the compositor's media from the first frame on, not the source's.
            early.close();
            made.start(live.program().subscribe("renditions", QUEUE_BYTES));
        } else {
            made.start(early);
        }
    }

    /** The largest first. */
    List<RenditionStatus> status() {
        RenditionLadder made = ladder;
        return made == null ? List.of() : made.status();
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
        if (target == null) {
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
        warn(DROPPED, "the %s rendition is dropped: %s".formatted(format.name(), reason));
    }

    private void stopPackaging(RenditionFormat format) {
        RenditionPackaging target = packaging;
        if (target != null) {
            target.drop(format.name());
        }
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
        return target == null ? Set.of() : target.late();
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
        RenditionLadder made = ladder;
        if (made != null) {
            made.close();
        }
        early.close();
    }
}
