package touchline.ingest.flv;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;
import touchline.media.codec.MalformedMediaException;
import touchline.media.hub.FurtherTracks;
import touchline.media.hub.TrackNumber;

/**
 * Converts FLV tags from RTMP messages to tracks and access units. Payloads are slices of the
 * message; copied only to widen NAL unit lengths or to drop empty units. One per publication, on
 * its event loop.
 *
 * <p>After a {@link MalformedMediaException} the tag is lost; the next one may follow. Nothing that
 * is wrong with a further track of a multitrack message concerns the first ones.
 */
public final class FlvDemuxer {

    /** Receives tracks and units. */
    public interface Output {
        /** The tracks of all units that follow; again when one of them appears or changes. */
        void begin(List<Track> tracks);

        /** A unit with the publisher's own times, in the order of arrival. */
        void write(AccessUnit unit);

        /**
         * A unit of a further track of multitrack messages (Enhanced RTMP v2), with the publisher's
         * own times. Its track may change from unit to unit.
         *
         * @param number at least 1
         */
        default void further(TrackNumber number, AccessUnit unit) {}

        /**
         * A further track is not taken; once for each track and reason.
         *
         * @param reason for people
         */
        default void refused(TrackNumber number, String reason) {}
    }

    private final Output out;
    private final TrackDiscovery discovery;
    private final FlvTrack video;
    private final FlvTrack audio;
    private final Map<TrackNumber, FlvTrack> further = new HashMap<>();
    private final Set<TrackNumber> refused = new HashSet<>();

    public FlvDemuxer(Output out) {
        this.out = out;
        this.discovery = new TrackDiscovery(out);
        this.video = new FlvTrack(discovery);
        this.audio = new FlvTrack(discovery);
    }

    /** Kinds of media that the publisher's metadata announces. */
    public void expect(boolean withVideo, boolean withAudio) {
        discovery.expect(withVideo, withAudio);
    }

    /** Units that arrived before their configuration. */
    public long droppedUnits() {
        long dropped = video.droppedUnits() + audio.droppedUnits();
        for (FlvTrack each : further.values()) {
            dropped += each.droppedUnits();
        }
        return dropped;
    }

    /**
     * A video message.
     *
     * @param timestampMs decode time
     * @param payload read-only; units keep it
     * @throws UnsupportedCodecException with the codec's name
     * @throws MalformedMediaException for bytes that do not fit their codec
     */
    public void video(long timestampMs, MemorySegment payload) {
        FlvTag.video(payload, new Tags(timestampMs, video, /* isVideo= */ true));
    }

    /**
     * An audio message.
     *
     * @param timestampMs presentation time of its first sample
     * @param payload read-only; units keep it
     * @throws UnsupportedCodecException with the codec's name
     * @throws MalformedMediaException for bytes that do not fit their codec
     */
    public void audio(long timestampMs, MemorySegment payload) {
        FlvTag.audio(payload, new Tags(timestampMs, audio, /* isVideo= */ false));
    }

    /** The tags of one message. Those of track 0 belong to the first track of its kind. */
    private final class Tags implements FlvTag.Receiver {
        private final long timestampMs;
        private final FlvTrack first;
        private final boolean isVideo;

        Tags(long timestampMs, FlvTrack first, boolean isVideo) {
            this.timestampMs = timestampMs;
            this.first = first;
            this.isVideo = isVideo;
        }

        @Override
        public void tag(FlvTag tag) {
            if (tag.trackId() == 0) {
                first.accept(timestampMs, tag);
                return;
            }
            TrackNumber number = new TrackNumber(isVideo, tag.trackId());
            if (tag.codec() == FlvCodec.MP3) {
                refuse(number, "MP3 is taken as the first audio track only");
                return;
            }
            FlvTrack track = furtherTrack(number);
            if (track != null) {
                acceptFurther(number, track, tag);
            }
        }

        private void acceptFurther(TrackNumber number, FlvTrack track, FlvTag tag) {
            try {
                track.accept(timestampMs, tag);
            } catch (MalformedMediaException e) {
                refuse(number, "broken media: " + e.getMessage());
            }
        }

        @Override
        public void unsupported(int trackId, String codecName) {
            refuse(new TrackNumber(isVideo, trackId), codecName + " is not supported");
        }
    }

    /** Null for one too many. */
    private @Nullable FlvTrack furtherTrack(TrackNumber number) {
        FlvTrack known = further.get(number);
        if (known != null) {
            return known;
        }
        long sameKind =
                further.keySet().stream().filter(each -> each.video() == number.video()).count();
        int most = number.video() ? FurtherTracks.MAX_VIDEO : FurtherTracks.MAX_AUDIO;
        if (sameKind >= most) {
            refuse(
                    number,
                    "at most %d further %s tracks are taken"
                            .formatted(most, number.video() ? "video" : "audio"));
            return null;
        }
        FlvTrack made = new FlvTrack(new FurtherOutput(number));
        further.put(number, made);
        return made;
    }

    private void refuse(TrackNumber number, String reason) {
        if (refused.add(number)) {
            out.refused(number, reason);
        }
    }

    private final class FurtherOutput implements FlvTrack.Output {
        private final TrackNumber number;

        FurtherOutput(TrackNumber number) {
            this.number = number;
        }

        @Override
        public void track(Track track) {
            // Its units carry it.
        }

        @Override
        public void unit(long timestampMs, AccessUnit unit) {
            out.further(number, unit);
        }
    }
}
