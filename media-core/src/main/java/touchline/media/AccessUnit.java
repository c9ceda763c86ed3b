package touchline.media;

import java.lang.foreign.MemorySegment;

/**
 * One coded video or audio frame. Any thread. The payload never changes after construction, so
 * threads may share units. The garbage collector frees them.
 *
 * @param track the track of this unit
 * @param dtsTicks decode time in the track's timescale
 * @param compositionTimeOffsetTicks presentation time minus decode time; may be negative
 * @param idr decoding can start here: an IDR frame or other random access point; true for every
 *     audio frame
 * @param payload read-only bytes in the format defined by {@link CodecConfig}
 */
public record AccessUnit(
        Track track,
        long dtsTicks,
        int compositionTimeOffsetTicks,
        boolean idr,
        MemorySegment payload)
        implements FeedItem {
    public AccessUnit {
        if (!payload.isReadOnly()) {
            payload = payload.asReadOnly();
        }
    }

    public long ptsTicks() {
        return dtsTicks + compositionTimeOffsetTicks;
    }

    /** Decode time in microseconds. */
    public long dtsUs() {
        return track.timescale().toUs(dtsTicks);
    }

    /** Presentation time in microseconds. */
    public long ptsUs() {
        return track.timescale().toUs(ptsTicks());
    }

    /** Whether this is a video frame at which decoding can start. */
    public boolean isKeyFrame() {
        return idr && track.isVideo();
    }

    /** Returns the same unit with another time. */
    public AccessUnit at(Track newTrack, long newDtsTicks, int newOffsetTicks) {
        return new AccessUnit(newTrack, newDtsTicks, newOffsetTicks, idr, payload);
    }
}
