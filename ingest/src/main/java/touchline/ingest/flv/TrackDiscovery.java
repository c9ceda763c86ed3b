package touchline.ingest.flv;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;

/**
 * Decides when the tracks of a publisher are complete and holds its first units until then. Waits
 * for audio and video, or for those that the publisher announced, at most for {@link #MAX_WAIT_MS}
 * of media, {@link #MAX_UNITS} units or {@link #MAX_BYTES}. A track that appears or changes later
 * declares the tracks again. One event loop.
 */
final class TrackDiscovery implements FlvTrack.Output {
    static final long MAX_WAIT_MS = 1_000;
    static final int MAX_UNITS = 256;
    static final long MAX_BYTES = 4 << 20;

    private final FlvDemuxer.Output out;
    private boolean expectsVideo = true;
    private boolean expectsAudio = true;
    private @Nullable Track video;
    private @Nullable Track audio;
    private boolean begun;

    private List<AccessUnit> held = new ArrayList<>();
    private long heldBytes;
    private long firstHeldMs;

    TrackDiscovery(FlvDemuxer.Output out) {
        this.out = out;
    }

    /** Media kinds the publisher announced; ignored if it announced none. */
    void expect(boolean withVideo, boolean withAudio) {
        if (!withVideo && !withAudio) {
            return;
        }
        expectsVideo = withVideo;
        expectsAudio = withAudio;
        beginIfComplete();
    }

    /** A new or changed track. Drops held units of the track it replaces. */
    @Override
    public void track(Track track) {
        if (!begun) {
            dropHeld(track.isVideo());
        }
        if (track.isVideo()) {
            video = track;
        } else {
            audio = track;
        }
        if (begun) {
            out.begin(tracks());
        } else {
            beginIfComplete();
        }
    }

    /** A unit of one of the tracks. */
    @Override
    public void unit(long timestampMs, AccessUnit unit) {
        if (begun) {
            out.write(unit);
            return;
        }
        if (held.isEmpty()) {
            firstHeldMs = timestampMs;
        }
        held.add(unit);
        heldBytes += unit.payload().byteSize();
        boolean waitedEnough =
                Math.abs(timestampMs - firstHeldMs) >= MAX_WAIT_MS
                        || held.size() >= MAX_UNITS
                        || heldBytes >= MAX_BYTES;
        if (waitedEnough) {
            begin();
        }
    }

    private void dropHeld(boolean video) {
        held.removeIf(unit -> unit.track().isVideo() == video);
        heldBytes = 0;
        for (AccessUnit unit : held) {
            heldBytes += unit.payload().byteSize();
        }
    }

    private void beginIfComplete() {
        boolean complete = (video != null || !expectsVideo) && (audio != null || !expectsAudio);
        if (complete && !begun) {
            begin();
        }
    }

    private void begin() {
        begun = true;
        out.begin(tracks());
        List<AccessUnit> units = held;
        held = List.of();
        heldBytes = 0;
        units.forEach(out::write);
    }

    private List<Track> tracks() {
        List<Track> tracks = new ArrayList<>(2);
        if (video != null) {
            tracks.add(video);
        }
        if (audio != null) {
            tracks.add(audio);
        }
        return tracks;
    }
}
