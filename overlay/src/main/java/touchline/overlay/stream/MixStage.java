package touchline.overlay.stream;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.overlay.AudioStage;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * Mixes the overlay stream's audio into the main audio. While only the main audio is requested at
 * full level, its units pass unchanged. After the first other level they are decoded, mixed and
 * encoded until the timeline ends. The switch is inaudible: AAC frames overlap, so the first mixed
 * frame is encoded after a run-in of earlier audio, and levels change after it. Compositing thread.
 */
final class MixStage implements AudioStage {
    private static final Logger log = LoggerFactory.getLogger(MixStage.class);

    /** Run-in of decoder and encoder until their output is exact. */
    private static final int RUN_IN_UNITS = 3;

    private final OverlayStreamTime time;
    private final OverlayStreamAudio audio;
    private final Levels mix;
    private final LongSupplier nanoTime;
    private final Deque<AccessUnit> recent = new ArrayDeque<>();

    private @Nullable Track out;
    private MixFormat format = new MixFormat(48_000, 2, false);
    private @Nullable AudioRemixer remix;
    private @Nullable AudioReader reader;

    /** Requested levels; any thread may change them. */
    interface Levels {
        AudioMix now();

        /** Whether overlay audio exists or may come later. */
        boolean expectsOverlay();
    }

    MixStage(OverlayStreamTime time, OverlayStreamAudio audio, Levels mix, LongSupplier nanoTime) {
        this.time = time;
        this.audio = audio;
        this.mix = mix;
        this.nanoTime = nanoTime;
    }

    @Override
    public Track begin(Track track) {
        close();
        recent.clear();
        time.mainRestarted();
        format = MixFormat.of(track);
        reader = new AudioReader(audio.format(format.rateHz(), format.channels()));
        AudioMix wanted = mix.now();
        if (format.sameAac() && AudioMixer.isMainOnly(wanted)) {
            out = track;
        } else {
            AudioRemixer begun = AudioRemixer.of(track, format, wanted);
            remix = begun;
            out = begun.track();
        }
        return out;
    }

    /**
     * The program has audio from its first frame on, so that overlay audio can start at any time.
     */
    @Override
    public Optional<Track> beginSilent() {
        close();
        recent.clear();
        time.mainRestarted();
        if (!mix.expectsOverlay()) {
            return Optional.empty();
        }
        format = MixFormat.OTHER;
        reader = new AudioReader(audio.format(format.rateHz(), format.channels()));
        AudioRemixer begun = AudioRemixer.ofSilence(format, mix.now());
        remix = begun;
        out = begun.track();
        return Optional.of(begun.track());
    }

    @Override
    public List<AccessUnit> silence(long untilUs) {
        AudioRemixer current = remix;
        if (current == null) {
            return List.of();
        }
        time.mainAudio(untilUs, nanoTime.getAsLong() / 1_000);
        current.levels(mix.now());
        return on(current, current.silence(untilUs, this::readOverlay));
    }

    @Override
    public List<AccessUnit> pass(AccessUnit unit) {
        time.mainAudio(unit.ptsUs(), nanoTime.getAsLong() / 1_000);
        AudioMix wanted = mix.now();
        AudioRemixer current = remix;
        if (current == null) {
            if (AudioMixer.isMainOnly(wanted)) {
                recent.add(unit);
                if (recent.size() > RUN_IN_UNITS) {
                    recent.removeFirst();
                }
                return List.of(unit);
            }
            current = joined(unit);
        }
        if (!current.isJoined()) {
            current.joinAt(unit.dtsUs());
        } else if (current.levelsMayMove(unit)) {
            current.levels(wanted);
        }
        return on(current, current.remix(unit, this::readOverlay));
    }

    @Override
    public List<AccessUnit> finish() {
        AudioRemixer current = remix;
        if (current == null) {
            return List.of();
        }
        List<AccessUnit> units = on(current, current.finish(this::readOverlay));
        close();
        return units;
    }

    /** Starts to mix at this unit; the last units are decoded for the run-in. */
    private AudioRemixer joined(AccessUnit unit) {
        AudioRemixer begun =
                AudioRemixer.of(
                        unit.track(),
                        format,
                        new AudioMix(AudioMix.Mode.MAIN, 1, /* volumeSecondary= */ 0));
        begun.joinAt(unit.dtsUs());
        remix = begun;
        for (AccessUnit before : recent) {
            begun.remix(before, this::readOverlay);
        }
        recent.clear();
        log.debug("audio is mixed from {} us on", unit.ptsUs());
        return begun;
    }

    /** Drops units before the join: they have been passed on unchanged. */
    private List<AccessUnit> on(AudioRemixer current, List<AccessUnit> units) {
        Track target = out;
        List<AccessUnit> due = new ArrayList<>(units.size());
        for (AccessUnit unit : units) {
            if (target != null && current.isDue(unit)) {
                due.add(
                        unit.track().equals(target)
                                ? unit
                                : unit.at(target, unit.dtsTicks(), /* newOffsetTicks= */ 0));
            }
        }
        return due;
    }

    private void readOverlay(long startFrame, int frames, float[] target) {
        OptionalLong shiftUs = time.shiftUs();
        AudioReader from = reader;
        if (from == null) {
            throw new IllegalStateException("no timeline");
        }
        double wanted =
                shiftUs.isPresent()
                        ? startFrame + shiftUs.getAsLong() * (double) format.rateHz() / 1e6
                        : Double.NaN;
        from.read(wanted, frames, target);
    }

    @Override
    public void close() {
        AudioRemixer open = remix;
        remix = null;
        if (open != null) {
            open.close();
        }
    }
}
