package touchline.api.audit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.codec.DecodingRefusedException;
import touchline.media.hub.Feed;
import touchline.media.hub.FrameTap;
import touchline.media.hub.PublishBarrier;
import touchline.moderation.AlertType;
import touchline.moderation.FrameReport;
import touchline.moderation.ModelStatus;
import touchline.moderation.Moderation;
import touchline.moderation.ModerationCounters;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationSink;
import touchline.moderation.ModerationTask;

/** A moderation service with model results set by the test. One thread. */
public final class FakeModeration implements Moderation {
    private static final ModerationCounters NOTHING = new ModerationCounters(0, 0, 0, 0, 0, 0);

    /** Served alert types; tests change them. */
    public final Set<AlertType> served = EnumSet.noneOf(AlertType.class);

    /** One per session, oldest first. */
    public final List<Task> tasks = new ArrayList<>();

    @Override
    public boolean serves(AlertType type) {
        return served.contains(type);
    }

    @Override
    public List<ModelStatus> models() {
        return served.stream()
                .map(
                        type ->
                                new ModelStatus(
                                        "demo-" + type.wireName(),
                                        Set.of(type),
                                        /* demo= */ true,
                                        "Apache-2.0",
                                        ModelStatus.State.READY,
                                        Optional.empty()))
                .toList();
    }

    @Override
    public String state() {
        return served.isEmpty() ? "unavailable" : "up";
    }

    @Override
    public String device() {
        return "cpu";
    }

    @Override
    public double rejectCutoff() {
        return ModerationPolicy.DEFAULT_REJECT_CUTOFF;
    }

    @Override
    public ModerationCounters counters() {
        return NOTHING;
    }

    @Override
    public ModerationTask open(
            StreamId stream, SessionId session, Supplier<Feed> program, ModerationSink sink) {
        Task task = new Task(sink);
        tasks.add(task);
        return task;
    }

    @Override
    public void close() {}

    /** A task that records its calls. */
    public static final class Task implements ModerationTask {
        /** Policies and stops, oldest first. */
        public final List<String> calls = new ArrayList<>();

        private final ModerationSink sink;
        private @Nullable ModerationPolicy policy;

        private Task(ModerationSink sink) {
            this.sink = sink;
        }

        /** The current policy. */
        public Optional<ModerationPolicy> policy() {
            return Optional.ofNullable(policy);
        }

        /** The session's reporting thread says something. */
        public void report(FrameReport report) {
            sink.analysed(report);
        }

        public void unserved(Set<AlertType> types) {
            sink.unserved(types);
        }

        public void refused(DecodingRefusedException cause) {
            sink.refused(cause);
        }

        public void blind(boolean blind, Instant at, Optional<DecodingRefusedException> refusal) {
            sink.blind(blind, at, refusal);
        }

        @Override
        public void apply(ModerationPolicy applied) {
            policy = applied;
            calls.add("apply " + applied.frameIntervalSeconds());
        }

        @Override
        public void stop() {
            policy = null;
            calls.add("stop");
        }

        @Override
        public boolean isRunning() {
            return policy != null;
        }

        @Override
        public PublishBarrier barrier() {
            return PublishBarrier.OPEN;
        }

        @Override
        public FrameTap tap() {
            return FrameTap.NONE;
        }

        @Override
        public void composited(boolean runs) {}

        @Override
        public ModerationCounters counters() {
            return NOTHING;
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }
}
