package touchline.media.transcode;

import java.util.ArrayList;
import java.util.List;
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
 * Converts the audio of one timeline to AAC-LC. Each sample keeps its media time; gaps and broken
 * units become silence. Units cover the source's audio and no more: the encoder's priming unit
 * before it is dropped, and the padded unit at its end. Behind a gap of more than two seconds the
 * priming unit stays, within the gap. One owner thread, a platform thread.
 */
final class LiveAudioTranscoder implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveAudioTranscoder.class);

    /** More channels than stereo do not play everywhere. */
    private static final int MAX_CHANNELS = 2;

    private static final int BPS_PER_CHANNEL = 96_000;

    /** Sample frames of an AAC-LC unit. */
    private static final int UNIT_FRAMES = 1024;

    /** After a longer gap the encoder restarts. */
    private static final int MAX_GAP_SECONDS = 2;

    private static final long NEVER = Long.MIN_VALUE;

    private final AudioSettings settings;
    private final AudioDecoder decoder;
    private final PcmConverter converter = new PcmConverter();
    private AudioEncoder encoder;

    /** Time of the first sample, in sample frames. */
    private long firstFrame = NEVER;

    /** End of the audio encoded so far. */
    private long nextFrame = NEVER;

    private boolean malformed;

    private LiveAudioTranscoder(
            AudioSettings settings, AudioDecoder decoder, AudioEncoder encoder) {
        this.settings = settings;
        this.decoder = decoder;
        this.encoder = encoder;
    }

    /** The caller closes it. */
    static LiveAudioTranscoder open(Track source) {
        AudioSettings settings = settings(source);
        AudioDecoder decoder = AudioDecoder.open(source);
        try {
            return new LiveAudioTranscoder(settings, decoder, AudioEncoder.open(settings));
        } catch (RuntimeException e) {
            decoder.close();
            throw e;
        }
    }

    /** The source's sample rate, so that times stay exact. */
    private static AudioSettings settings(Track source) {
        int used = Math.clamp(source.codec().audioChannels(), 1, MAX_CHANNELS);
        return new AudioSettings(source.timescale().ticksPerSecond(), used, BPS_PER_CHANNEL * used);
    }

    /** Track of the resulting units. */
    Track track() {
        return encoder.track();
    }

    /**
     * Converts one unit. The result lags behind by up to two AAC units.
     *
     * @return zero or more units
     */
    List<AccessUnit> transcode(AccessUnit unit) {
        List<AccessUnit> made = new ArrayList<>(2);
        try {
            for (Pcm pcm : decoder.decode(unit)) {
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

    /** Returns the remaining units. */
    List<AccessUnit> finish() {
        List<AccessUnit> made = new ArrayList<>(2);
        for (Pcm pcm : decoder.drain()) {
            add(converted(pcm), made);
        }
        endEncoder(made);
        return made;
    }

    private Pcm converted(Pcm pcm) {
        return converter.convert(pcm, settings.sampleRateHz(), settings.channels());
    }

    /** Appends audio: cuts an overlap, fills a gap with silence. */
    private void add(Pcm pcm, List<AccessUnit> made) {
        if (firstFrame == NEVER) {
            firstFrame = pcm.startFrame();
        }
        if (nextFrame == NEVER) {
            nextFrame = pcm.startFrame();
        }
        long gap = pcm.startFrame() - nextFrame;
        if (gap > (long) MAX_GAP_SECONDS * settings.sampleRateHz()) {
            endEncoder(made);
            encoder.close();
            encoder = AudioEncoder.open(settings);
            nextFrame = pcm.startFrame();
        } else if (gap > 0) {
            encode(
                    Pcm.silence(settings.sampleRateHz(), settings.channels(), nextFrame, (int) gap),
                    made);
        }
        int repeated = Math.clamp(nextFrame - pcm.startFrame(), 0, pcm.frames());
        if (repeated < pcm.frames()) {
            encode(pcm.without(repeated), made);
        }
    }

    private void endEncoder(List<AccessUnit> made) {
        if (nextFrame != NEVER) {
            keep(encoder.finish(), made);
            nextFrame = NEVER;
        }
    }

    private void encode(Pcm pcm, List<AccessUnit> made) {
        nextFrame = pcm.startFrame() + pcm.frames();
        keep(encoder.encode(pcm), made);
    }

    private void keep(List<AccessUnit> units, List<AccessUnit> made) {
        for (AccessUnit unit : units) {
            long start = unit.dtsTicks();
            if (start >= firstFrame && start + UNIT_FRAMES <= nextFrame) {
                made.add(unit);
            }
        }
    }

    @Override
    public void close() {
        converter.close();
        encoder.close();
        decoder.close();
    }
}
