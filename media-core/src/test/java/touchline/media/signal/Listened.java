package touchline.media.signal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import touchline.media.codec.DecodingRefusedException;

/** Records what a watch reports. One thread at a time. */
final class Listened implements SignalListener {
    final List<SignalSample> samples = new ArrayList<>();

    /** {@code +audio_silent} for a begin, {@code -audio_silent} for an end. */
    final List<String> faults = new ArrayList<>();

    @Override
    public void sampled(SignalSample sample) {
        samples.add(sample);
    }

    @Override
    public void began(SignalFault fault, Instant at) {
        faults.add("+" + fault.code());
    }

    @Override
    public void ended(SignalFault fault, Instant at) {
        faults.add("-" + fault.code());
    }

    @Override
    public void refused(DecodingRefusedException cause) {
        faults.add("refused");
    }

    ActiveFaults active(SignalCounters counters) {
        return new ActiveFaults(this, counters, Instant::now);
    }
}
