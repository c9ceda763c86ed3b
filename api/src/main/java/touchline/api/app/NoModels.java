package touchline.api.app;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import touchline.media.SessionId;
import touchline.media.StreamId;
import touchline.media.hub.Feed;
import touchline.media.hub.PictureTap;
import touchline.media.hub.PublishBarrier;
import touchline.moderation.AlertType;
import touchline.moderation.ModelStatus;
import touchline.moderation.Moderation;
import touchline.moderation.ModerationCounters;
import touchline.moderation.ModerationPolicy;
import touchline.moderation.ModerationSink;
import touchline.moderation.ModerationTask;

/** TEMPORARY. */
final class NoModels implements Moderation {
    @Override
    public boolean serves(AlertType type) {
        return false;
    }

    @Override
    public List<ModelStatus> models() {
        return List.of();
    }

    @Override
    public String state() {
        return "unavailable";
    }

    @Override
    public String device() {
        return "cpu";
    }

    @Override
    public double rejectCutoff() {
        return 0.5;
    }

    @Override
    public ModerationCounters counters() {
        return new ModerationCounters(0, 0, 0, 0, 0);
    }

    @Override
    public ModerationTask open(
            StreamId stream, SessionId session, Supplier<Feed> program, ModerationSink sink) {
        return new ModerationTask() {
            @Override
            public void apply(ModerationPolicy policy) {
                sink.unserved(Set.copyOf(policy.types()));
            }

            @Override
            public void stop() {}

            @Override
            public boolean isRunning() {
                return false;
            }

            @Override
            public PublishBarrier barrier() {
                return PublishBarrier.OPEN;
            }

            @Override
            public PictureTap tap() {
                return PictureTap.NONE;
            }

            @Override
            public void composited(boolean runs) {}

            @Override
            public ModerationCounters counters() {
                return new ModerationCounters(0, 0, 0, 0, 0);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
