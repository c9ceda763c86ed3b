package touchline.media.alignment;

import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.ffmpeg.AudioDecoder;
import touchline.media.ffmpeg.Pcm;
import touchline.media.ffmpeg.PcmConverter;

/** Decodes the audio of one publisher into its {@link Envelope}. One platform thread. */
final class EnvelopeDecoder implements AutoCloseable {
    private final Envelope envelope = new Envelope();
    private final PcmConverter converter = new PcmConverter();
    private @Nullable Track track;
    private @Nullable AudioDecoder decoder;

    /** Broken units are skipped. */
    void add(AccessUnit unit) {
        AudioDecoder open = decoder;
        if (open == null || !unit.track().equals(track)) {
            restart();
            open = AudioDecoder.open(unit.track());
            decoder = open;
            track = unit.track();
        }
        try {
            for (Pcm pcm : open.decode(unit)) {
                envelope.add(converter.convert(pcm, Envelope.RATE_HZ, /* channels= */ 1));
            }
        } catch (MalformedMediaException _) {
            // The publisher's own counters report it.
        }
    }

    /** What follows has another clock. */
    void restart() {
        envelope.clear();
        close();
    }

    Envelope envelope() {
        return envelope;
    }

    @Override
    public void close() {
        converter.close();
        if (decoder != null) {
            decoder.close();
            decoder = null;
        }
        track = null;
    }
}
