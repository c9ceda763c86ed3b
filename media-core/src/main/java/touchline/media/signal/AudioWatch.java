package touchline.media.signal;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.FeedItem;
import touchline.media.Interruption;
import touchline.media.Timeline;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.FfmpegException;
import touchline.media.ffmpeg.Pcm;

/** Decodes and measures the audio of one session. One thread at a time, a platform thread. */
final class AudioWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AudioWatch.class);

    /** Audio that does not arrive for longer counts as silence, if video does arrive. */
    private static final long LATE_NS = 2_000_000_000L;

    /** Video that arrives so much later than the last audio shows that the encoder sends. */
    private static final long BEHIND_NS = 1_000_000_000L;

    private static final long BLOCK_NS = 1_000_000_000L / AudioBlock.PER_SECOND;

    private final ActiveFaults active;
    private final SignalCounters counters;

    private @Nullable Track track;
    private @Nullable AudioDecoder decoder;
    private @Nullable AudioMeter meter;
    private LoudnessMeter loudness = new LoudnessMeter();
    private AudioFaults faults;
    private boolean malformed;
    private boolean paused;

    /** Clock at the newest audio. */
    private long newestNs;

    /** Clock at the end of the silence that stands for audio. */
    private long filledNs;

    /** Blocks since the last sample; the newest ones of more than a few seconds. */
    private final List<AudioBlock> blocks = new ArrayList<>();

    private List<SignalSample.Level> levels = List.of();

    AudioWatch(ActiveFaults active, SignalCounters counters) {
        this.active = active;
        this.counters = counters;
        this.faults = new AudioFaults(active);
    }

    void accept(FeedItem item, long nowNs) {
        switch (item) {
            case Timeline timeline -> begin(timeline.audio().orElse(null), nowNs);
            case Interruption _ -> begin(null, nowNs);
            case AccessUnit unit -> {
                newestNs = nowNs;
                filledNs = nowNs;
                measure(unit);
            }
        }
    }

    /** Levels are measured meanwhile, faults are not. */
    void pause(boolean now) {
        paused = now;
        faults = new AudioFaults(active);
        active.endAll(/* ofAudio= */ true);
    }

    boolean isReceiving() {
        return track != null;
    }

    /**
     * Counts audio that does not arrive as silence.
     *
     * @param videoNs clock at the newest video
     */
    void fillUp(long nowNs, long videoNs) {
        Track expected = track;
        if (expected == null || nowNs - newestNs < LATE_NS || videoNs - newestNs < BEHIND_NS) {
            return;
        }
        int channels = Math.clamp(expected.codec().audioChannels(), 1, 8);
        while (nowNs - filledNs >= BLOCK_NS) {
            measured(AudioBlock.silent(channels));
            filledNs += BLOCK_NS;
        }
    }

    /** Returns the levels since the last call; those of that call if nothing has come. */
    List<SignalSample.Level> takeLevels() {
        if (track == null) {
            return List.of();
        }
        if (!blocks.isEmpty()) {
            levels = summed(blocks);
            blocks.clear();
        }
        return levels;
    }

    OptionalDouble loudness() {
        return levels.isEmpty() || track == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(loudness.shortTerm());
    }

    double silentS() {
        return faults.silentS();
    }

    private static List<SignalSample.Level> summed(List<AudioBlock> blocks) {
        int channels = blocks.getLast().channels();
        List<SignalSample.Level> all = new ArrayList<>(channels);
        for (int channel = 0; channel < channels; channel++) {
            double peak = 0;
            double sum = 0;
            for (AudioBlock block : blocks) {
                peak = Math.max(peak, block.peak(channel));
                sum += block.meanSquare(channel);
            }
            all.add(SignalSample.Level.of(peak, sum / blocks.size()));
        }
        return all;
    }

    private void begin(@Nullable Track next, long nowNs) {
        if (next != null && next.equals(track)) {
            return;
        }
        closeDecoder();
        track = next;
        meter = null;
        newestNs = nowNs;
        filledNs = nowNs;
        loudness = new LoudnessMeter();
        faults = new AudioFaults(active);
        active.endAll(/* ofAudio= */ true);
        blocks.clear();
        levels = List.of();
    }

    private void measure(AccessUnit unit) {
        long startNs = System.nanoTime();
        try {
            for (Pcm pcm : decoder(unit.track()).decode(unit)) {
                meter(pcm).add(pcm);
            }
            malformed = false;
        } catch (MalformedMediaException | FfmpegException e) {
            counters.undecodable(SignalCounters.Media.AUDIO, 1);
            if (!malformed) {
                log.debug("audio at {} us cannot be decoded: {}", unit.ptsUs(), e.getMessage());
            }
            malformed = true;
            closeDecoder();
        } finally {
            counters.spent(SignalCounters.Media.AUDIO, System.nanoTime() - startNs);
        }
    }

    private void measured(AudioBlock block) {
        if (blocks.size() == 3 * AudioBlock.PER_SECOND
                || (!blocks.isEmpty() && blocks.getLast().channels() != block.channels())) {
            blocks.clear();
        }
        blocks.add(block);
        loudness.add(block.weighted());
        if (!paused) {
            faults.add(block);
        }
    }

    private AudioMeter meter(Pcm pcm) {
        AudioMeter open = meter;
        if (open == null || !open.takes(pcm)) {
            open = new AudioMeter(pcm.sampleRateHz(), pcm.channels(), this::measured);
            meter = open;
        }
        return open;
    }

    private AudioDecoder decoder(Track of) {
        AudioDecoder open = decoder;
        if (open == null) {
            open = AudioDecoder.open(of);
            decoder = open;
        }
        return open;
    }

    private void closeDecoder() {
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
    }

    @Override
    public void close() {
        closeDecoder();
    }
}
