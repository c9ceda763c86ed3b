package touchline.packager.thumbnail;

import touchline.media.SessionId;

/**
 * A query whose result never changes. Immutable.
 *
 * @param session of the frame
 * @param moment which of its frames
 */
record ThumbnailQuery(SessionId session, Moment moment, int maxWidth) {
    /** One of a session's frames. */
    sealed interface Moment {
        /** The last key frame at a time or before it, since the first frame. */
        record At(long timeUs) implements Moment {}

        /** The newest key frame when so much was there. */
        record Newest(long mediaSequence, int parts) implements Moment {}

        /**
         * The first one that shows something.
         *
         * @param endUs of what was there
         */
        record First(long endUs) implements Moment {}
    }
}
