package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.TrackNumber;

/** Finds the messages that hold decoder configurations. Stateless, any thread. */
public final class SequenceHeaders {
    private SequenceHeaders() {}

    /**
     * The tracks whose decoder configuration a message holds; empty for frames, and for what cannot
     * be read. Codecs that have none, such as MP3, never have one.
     *
     * @param payload of an audio or video message, read-only
     */
    public static List<TrackNumber> in(boolean video, MemorySegment payload) {
        List<TrackNumber> found = new ArrayList<>(1);
        FlvTag.Receiver receiver =
                new FlvTag.Receiver() {
                    @Override
                    public void tag(FlvTag tag) {
                        if (tag.content() == FlvTag.Content.CONFIGURATION) {
                            found.add(new TrackNumber(video, tag.trackId()));
                        }
                    }

                    @Override
                    public void unsupported(int trackId, String codecName) {
                        // The owner says so.
                    }
                };
        try {
            if (video) {
                FlvTag.video(payload, receiver);
            } else {
                FlvTag.audio(payload, receiver);
            }
        } catch (MalformedMediaException | UnsupportedCodecException _) {
            return List.of();
        }
        return found;
    }
}
