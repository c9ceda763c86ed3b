package touchline.packager.thumbnail;

import touchline.media.AccessUnit;
import touchline.media.SessionId;

/**
 * A key frame of packaged media, with a copy of its bytes. Immutable.
 *
 * @param index among the key frames of its segment
 * @param unit can be decoded alone
 */
record KeyFrame(SessionId session, long mediaSequence, int index, AccessUnit unit) {
    /** Which frame it is at a width: the same one for ever. */
    FrameId id(int maxWidth) {
        return new FrameId(session, mediaSequence, index, maxWidth);
    }

    /** Names a thumbnail. */
    record FrameId(SessionId session, long mediaSequence, int index, int maxWidth) {}
}
