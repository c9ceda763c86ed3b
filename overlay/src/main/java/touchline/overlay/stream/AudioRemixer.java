package touchline.overlay.stream;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.PcmConverter;
import touchline.overlay.OverlaySpec.AudioMix;

/**
 * Decodes, mixes and encodes one timeline of main audio, or of silence, to AAC-LC. Media time
 * stays. Gaps and broken units become silence. Compositing thread.
 */
final class AudioRemixer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AudioRemixer.class);

    /** After a longer gap the encoder restarts. */
    private static final int MAX_GAP_SECONDS = 2;

    private static final MemorySegment NOTHING = MemorySegment.ofArray(new float[0]);

    private final MixFormat format;
    private final @Nullable AudioDecoder decoder;
    private final AudioMixer mixer;
    private final PcmConverter converter = new PcmConverter();
    private AudioEncoder encoder;
    private long nextFrame = Long.MIN_VALUE;
    private long joinUs = Long.MIN_VALUE;
    private boolean malformed;

    private AudioRemixer(@Nullable AudioDecoder decoder, MixFormat format, AudioMix levels) {
        this.decoder = decoder;
        this.format = format;
        this.mixer =
                new AudioMixer(
                        format.rateHz(),
                        format.channels(),
                        AudioMixer.mainGain(levels),
                        AudioMixer.overlayGain(levels));
        this.encoder = AudioEncoder.open(format.settings());
    }

    /**
     * @param levels initial levels
     */
    static AudioRemixer of(Track main, MixFormat format, AudioMix levels) {
        return new AudioRemixer(AudioDecoder.open(main), format, levels);
    }

    /** For a program without main audio: mixes the overlay audio with {@link #silence}. */
    static AudioRemixer ofSilence(MixFormat format, AudioMix levels) {
        return new AudioRemixer(/* decoder= */ null, format, levels);
    }

    /** Track of the resulting units. */
    Track track() {
        return encoder.track();
    }

    /** Sets the first time of the output: earlier units have been passed on already. */
    void joinAt(long dtsUs) {
        joinUs = dtsUs;
    }

    boolean isJoined() {
        return joinUs != Long.MIN_VALUE;
    }

    /** Whether a resulting unit lies after the join. */
    boolean isDue(AccessUnit made) {
        return made.dtsUs() >= joinUs;
    }

    /** False for the first unit after a join: it overlaps with an unmixed unit. */
    boolean levelsMayMove(AccessUnit unit) {
        return unit.dtsUs() > joinUs;
    }

    /** Sets the target levels. */
    void levels(AudioMix wanted) {
        mixer.levels(AudioMixer.mainGain(wanted), AudioMixer.overlayGain(wanted));
    }

    /** Mixes silence up to a time; the first call sets the start. */
    List<AccessUnit> silence(long untilUs, AudioMixer.OverlaySource overlay) {
        Timescale scale = new Timescale(format.rateHz());
        long end = scale.fromUs(untilUs);
        if (nextFrame == Long.MIN_VALUE) {
            nextFrame = end;
            joinAt(scale.toUs(end));
        }
        List<AccessUnit> made = new ArrayList<>(2);
        if (end > nextFrame) {
            // Filled as a gap, or a restart after a long one.
            add(new Pcm(format.rateHz(), format.channels(), end, NOTHING), overlay, made);
        }
        return made;
    }

    List<AccessUnit> remix(AccessUnit unit, AudioMixer.OverlaySource overlay) {
        AudioDecoder open = decoder;
        if (open == null) {
            throw new IllegalStateException("no main audio");
        }
        List<AccessUnit> made = new ArrayList<>(2);
        try {
            for (Pcm pcm : open.decode(unit)) {
                add(converted(pcm), overlay, made);
            }
            malformed = false;
        } catch (MalformedMediaException e) {
            if (!malformed) {
                log.info("main audio at {} us: {}", unit.ptsUs(), e.getMessage());
            }
            malformed = true;
        }
        return made;
    }

    List<AccessUnit> finish(AudioMixer.OverlaySource overlay) {
        List<AccessUnit> made = new ArrayList<>(4);
        AudioDecoder open = decoder;
        if (open != null) {
            for (Pcm pcm : open.drain()) {
                add(converted(pcm), overlay, made);
            }
        }
        endEncoder(made);
        return made;
    }

    private void endEncoder(List<AccessUnit> made) {
        if (nextFrame != Long.MIN_VALUE) {
            made.addAll(encoder.encode(mixer.rest(nextFrame)));
            made.addAll(encoder.finish());
            nextFrame = Long.MIN_VALUE;
        }
    }

    private Pcm converted(Pcm pcm) {
        return converter.convert(pcm, format.rateHz(), format.channels());
    }

    /** Appends audio: cuts an overlap, fills a gap with silence. */
    private void add(Pcm pcm, AudioMixer.OverlaySource overlay, List<AccessUnit> made) {
        if (nextFrame == Long.MIN_VALUE) {
            nextFrame = pcm.startFrame();
        }
        long gap = pcm.startFrame() - nextFrame;
        if (gap > (long) MAX_GAP_SECONDS * format.rateHz()) {
            endEncoder(made);
            encoder.close();
            encoder = AudioEncoder.open(format.settings());
            mixer.restart();
            nextFrame = pcm.startFrame();
        } else if (gap > 0) {
            mix(
                    Pcm.silence(format.rateHz(), format.channels(), nextFrame, (int) gap),
                    overlay,
                    made);
        }
        int cut = (int) Math.min(pcm.frames(), Math.max(0, nextFrame - pcm.startFrame()));
        if (cut < pcm.frames()) {
            mix(cut == 0 ? pcm : pcm.without(cut), overlay, made);
        }
    }

    private void mix(Pcm pcm, AudioMixer.OverlaySource overlay, List<AccessUnit> made) {
        Pcm mixed = mixer.mix(pcm, overlay);
        nextFrame = pcm.startFrame() + pcm.frames();
        if (mixed.frames() > 0) {
            made.addAll(encoder.encode(mixed));
        }
    }

    @Override
    public void close() {
        converter.close();
        encoder.close();
        if (decoder != null) {
            decoder.close();
        }
    }
}
