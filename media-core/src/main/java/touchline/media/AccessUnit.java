package touchline.media;

import java.lang.foreign.MemorySegment;

/**
 * One coded frame, or one coded frame of audio. Any thread; the payload is never written after
 * construction, so units are shared freely and the collector frees them.
 *
 * @param track whose unit it is
 * @param dtsTicks decode time in the track's timescale
 * @param compositionTimeOffsetTicks what is added for the presentation time; may be negative
 * @param idr decoding can start here: an IDR frame or its like; true for every frame of audio
 * @param payload read-only bytes in the form {@link CodecConfig} names
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

    /** A frame from which decoding can start. */
    public boolean isKeyFrame() {
        return idr && track.isVideo();
    }

    /** The same unit at another time. */
    public AccessUnit at(Track newTrack, long newDtsTicks, int newOffsetTicks) {
        return new AccessUnit(newTrack, newDtsTicks, newOffsetTicks, idr, payload);
    }
}
