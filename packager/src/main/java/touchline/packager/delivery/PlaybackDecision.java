package touchline.packager.delivery;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import touchline.packager.audience.StreamViewers;
import touchline.packager.edge.RemoteMedia;
import touchline.packager.hls.LivePlayback;
import touchline.packager.hls.MediaBody;
import touchline.packager.thumbnail.Thumbnails;

/** Decision of a {@link PlaybackAccess}. */
public sealed interface PlaybackDecision {
    /**
     * A live session, or one that ended less than a window ago.
     *
     * @param sessions newest first: the multivariant playlist names the first, and those that ended
     *     recently are still served by their id
     * @param running false when the newest one has ended: the multivariant playlist then is 404
     * @param restricted answers are {@code private} and carry no referrer
     * @param grant prefix of child URIs; present if a token was accepted for a restricted id
     * @param viewers where requests are counted; empty: they are not
     */
    record Live(
            List<LivePlayback> sessions,
            boolean running,
            boolean restricted,
            Optional<String> grant,
            Optional<StreamViewers> viewers)
            implements PlaybackDecision {
        public Live {
            sessions = List.copyOf(sessions);
        }

        /** Not counted. */
        public Live(
                List<LivePlayback> sessions,
                boolean running,
                boolean restricted,
                Optional<String> grant) {
            this(sessions, running, restricted, grant, Optional.empty());
        }

        @Override
        public String toString() {
            return "Live[running=" + running + ", restricted=" + restricted + ", grant masked]";
        }
    }

    /**
     * An MP4 file.
     *
     * @param body in files, or of another node; without an owner
     * @param entityTag with its quotes
     * @param restricted as of {@link Live}
     * @param use called when the files are read
     */
    record Mp4(MediaBody body, String entityTag, boolean restricted, Use use)
            implements PlaybackDecision {
        /** Files that stay. */
        public Mp4(MediaBody body, String entityTag, boolean restricted) {
            this(body, entityTag, restricted, () -> () -> {});
        }
    }

    /** Port: keeps files in place while they are read. Called by an event loop. */
    @FunctionalInterface
    interface Use {
        /**
         * Reading begins. Returns at once.
         *
         * @return run this once when reading ends
         */
        Runnable begin();
    }

    /**
     * One of the frames of a session or asset.
     *
     * @param byDefault the frame for requests without a time
     * @param settled nothing will be added, and the id never shows anything else
     * @param restricted as of {@link Live}
     */
    record Thumbnail(
            LivePlayback playback,
            Thumbnails.ByDefault byDefault,
            boolean settled,
            boolean restricted)
            implements PlaybackDecision {}

    /**
     * Chapters.
     *
     * @param webVtt the whole text
     * @param restricted as of {@link Live}
     */
    record Chapters(String webVtt, boolean restricted) implements PlaybackDecision {}

    /**
     * A stream or asset of another node, for a viewer that may see it.
     *
     * @param restricted as of {@link Live}
     * @param grant as of {@link Live}
     * @param viewers as of {@link Live}
     */
    record Remote(
            RemoteMedia media,
            boolean restricted,
            Optional<String> grant,
            Optional<StreamViewers> viewers)
            implements PlaybackDecision {
        @Override
        public String toString() {
            return "Remote[" + media.subject() + ", restricted=" + restricted + ", grant masked]";
        }
    }

    /**
     * Refused: answered with the JSON envelope.
     *
     * @param status HTTP status: 403 or 404; 503 if it cannot be decided now
     * @param code the envelope's code, e.g. 40401
     * @param message in plain words; without hints for forging a token
     * @param retryAfterSeconds for the Retry-After header
     */
    record Refused(int status, int code, String message, OptionalInt retryAfterSeconds)
            implements PlaybackDecision {
        /** 404, 40401. */
        public static final Refused NOT_FOUND =
                new Refused(404, 40401, "not found", OptionalInt.empty());
    }
}
