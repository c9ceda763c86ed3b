package touchline.media.transcode;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.AudioEncoder;
import touchline.media.ffmpeg.AudioSettings;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.PcmConverter;

/**
 * Re-encodes audio tracks that follow each other as one AAC-LC track of one sample rate and channel
 * count, from time 0. Each sample keeps its time. Where a track has none, and between tracks, there
 * is silence. One owner, a platform thread.
 */
public final class UniformAudio implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(UniformAudio.class);

    /** Sample frames of an AAC-LC unit. */
    private static final int UNIT_FRAMES = 1_024;

    private final AudioSettings settings;
    private final AudioEncoder encoder;
    private final PcmConverter converter = new PcmConverter();
    private @Nullable AudioDecoder decoder;

    /** End of what is encoded, in sample frames of the output. */
    private long nextFrame;

    /** Audio behind this does not belong to the track. */
    private long endFrame;

    private boolean malformed;

    private UniformAudio(AudioSettings settings, AudioEncoder encoder) {
        this.settings = settings;
        this.encoder = encoder;
    }

    /** The caller closes it. */
    public static UniformAudio open(AudioSettings settings) {
        return new UniformAudio(settings, AudioEncoder.open(settings));
    }

    /** Track of the resulting units, with times in sample frames. */
    public Track track() {
        return encoder.track();
    }

    /**
     * Begins the next track.
     *
     * @param fromUs where it begins in the output: until then there is silence
     * @param toUs where it ends
     * @return zero or more units
     * @throws MalformedMediaException the track's configuration is invalid
     */
    public List<AccessUnit> begin(Track track, long fromUs, long toUs) {
        List<AccessUnit> made = new ArrayList<>(silence(frames(fromUs)));
        closeDecoder();
        decoder = AudioDecoder.open(track);
        endFrame = frames(toUs);
        return made;
    }

    /**
     * Converts the next unit of the track, which has its time in the output.
     *
     * @return zero or more units; they lag behind by up to two
     */
    public List<AccessUnit> add(AccessUnit unit) {
        AudioDecoder open = decoder;
        if (open == null) {
            throw new IllegalStateException("no track has begun");
        }
        List<AccessUnit> made = new ArrayList<>(2);
        try {
            for (Pcm pcm : open.decode(unit)) {
                add(converted(pcm), made);
            }
            malformed = false;
        } catch (MalformedMediaException e) {
            if (!malformed) {
                log.info("audio at {} us cannot be decoded: {}", unit.ptsUs(), e.getMessage());
            }
            malformed = true;
        }
        return made;
    }

    /** Fills up with silence, and returns the remaining units. */
    public List<AccessUnit> finish(long endUs) {
        List<AccessUnit> made = new ArrayList<>(silence(frames(endUs)));
        keep(encoder.finish(), made);
        return made;
    }

    private long frames(long us) {
        return (us * settings.sampleRateHz() + 500_000) / 1_000_000;
    }

    private Pcm converted(Pcm pcm) {
        return converter.convert(pcm, settings.sampleRateHz(), settings.channels());
    }

    /** Appends audio: fills a gap with silence, cuts an overlap and what is behind the end. */
    private void add(Pcm pcm, List<AccessUnit> made) {
        long start = Math.max(pcm.startFrame(), nextFrame);
        long end = Math.min(pcm.startFrame() + pcm.frames(), endFrame);
        if (start < end) {
            made.addAll(silence(start));
            encode(part(pcm, start - pcm.startFrame(), end - start), made);
        }
    }

    /** Silence up to a time, a second at a time. */
    private List<AccessUnit> silence(long untilFrame) {
        List<AccessUnit> made = new ArrayList<>(2);
        while (nextFrame < untilFrame) {
            int frames = (int) Math.min(untilFrame - nextFrame, settings.sampleRateHz());
            encode(
                    Pcm.silence(settings.sampleRateHz(), settings.channels(), nextFrame, frames),
                    made);
        }
        return made;
    }

    private void encode(Pcm pcm, List<AccessUnit> made) {
        nextFrame = pcm.startFrame() + pcm.frames();
        keep(encoder.encode(pcm), made);
    }

    /** Without the encoder's priming unit, and without one that is padded at the end. */
    private void keep(List<AccessUnit> units, List<AccessUnit> made) {
        for (AccessUnit unit : units) {
            if (unit.dtsTicks() >= 0 && unit.dtsTicks() + UNIT_FRAMES <= nextFrame) {
                made.add(unit);
            }
        }
    }

    private static Pcm part(Pcm pcm, long from, long frames) {
        long frameBytes = (long) Float.BYTES * pcm.channels();
        return new Pcm(
                pcm.sampleRateHz(),
                pcm.channels(),
                pcm.startFrame() + from,
                pcm.samples().asSlice(from * frameBytes, frames * frameBytes));
    }

    private void closeDecoder() {
        converter.close();
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
    }

    @Override
    public void close() {
        closeDecoder();
        encoder.close();
    }
}
