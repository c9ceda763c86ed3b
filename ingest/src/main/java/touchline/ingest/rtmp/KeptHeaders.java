package touchline.ingest.rtmp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import touchline.ingest.flv.SequenceHeaders;
import touchline.media.hub.TrackNumber;

/**
 * What another server needs to continue a publish: the newest metadata, and the newest sequence
 * header of each track. At most {@value #MAX_HEADERS} messages of {@value #MAX_BYTES} bytes. One
 * event loop.
 */
final class KeptHeaders {
    /** Two tracks, and the further ones that a session takes. */
    static final int MAX_HEADERS = 16;

    /** Headers have some hundred bytes. */
    static final int MAX_BYTES = 64 << 10;

    private final Map<List<TrackNumber>, RtmpMessage> headers = new LinkedHashMap<>();
    private RtmpMessage.@Nullable Data metadata;

    /** Keeps metadata. */
    void data(RtmpMessage.Data data) {
        if (OnMetaData.of(data).isPresent()) {
            metadata = data;
        }
    }

    /**
     * Keeps a message if it is a sequence header.
     *
     * @param message which holds the payload
     */
    void media(RtmpMessage message, boolean video, MemorySegment payload) {
        if (payload.byteSize() > MAX_BYTES) {
            return;
        }
        List<TrackNumber> tracks = SequenceHeaders.in(video, payload);
        if (tracks.isEmpty()) {
            return;
        }
        // Behind those before it: the newest one of a track counts.
        headers.remove(tracks);
        if (headers.size() < MAX_HEADERS) {
            headers.put(List.copyOf(tracks), message);
        }
    }

    /** The kept messages in the order in which they came, metadata first. */
    List<RtmpMessage> all() {
        List<RtmpMessage> all = new ArrayList<>();
        if (metadata != null) {
            all.add(metadata);
        }
        all.addAll(headers.values());
        return all;
    }
}
