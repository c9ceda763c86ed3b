package touchline.api.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import touchline.packager.record.Recorder;

/** Counts since the start why storing stopped, of recordings and of live windows. Any thread. */
public final class RecordingCounters {
    private final Map<Recorder.Failure, LongAdder> stops = new EnumMap<>(Recorder.Failure.class);

    public RecordingCounters() {
        for (Recorder.Failure reason : Recorder.Failure.values()) {
            stops.put(reason, new LongAdder());
        }
    }

    void stopped(Recorder.Failure reason) {
        counter(reason).increment();
    }

    public long stops(Recorder.Failure reason) {
        return counter(reason).sum();
    }

    private LongAdder counter(Recorder.Failure reason) {
        return Objects.requireNonNull(stops.get(reason));
    }
}
