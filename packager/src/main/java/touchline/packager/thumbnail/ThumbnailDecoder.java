package touchline.packager.thumbnail;

import touchline.media.AccessUnit;

/**
 * Port: decodes a key frame to a thumbnail. Called on platform threads, since native calls pin
 * their carrier.
 */
@FunctionalInterface
interface ThumbnailDecoder {
    /**
     * @param keyFrame can be decoded alone
     * @throws touchline.media.codec.MalformedMediaException where it cannot
     */
    Thumbnail make(AccessUnit keyFrame, int maxWidth);
}
