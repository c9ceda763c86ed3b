package touchline.packager.thumbnail;

import touchline.media.AccessUnit;
import touchline.media.SessionId;

/**
 * Port: decodes a key frame to a thumbnail. Called on platform threads, since native calls pin
 * their carrier.
 */
@FunctionalInterface
interface ThumbnailDecoder {
    /**
     * A thumbnail.
     *
     * @param remoteCpuNs processor time of other processes
     */
    record Made(Thumbnail frame, long remoteCpuNs) {}

    /**
     * @param keyFrame can be decoded alone
     * @throws touchline.media.codec.MalformedMediaException where it cannot
     */
    Made make(SessionId session, AccessUnit keyFrame, int maxWidth);
}
