package touchline.api.domain;

/**
 * A further track that the encoder of a session sends beside the first ones. Immutable, any thread.
 *
 * @param video video or audio
 * @param number as the encoder numbers it, 1 to 255
 * @param rendition element of the rendition's addresses; empty while it is not served
 * @param name what viewers choose it by; audio only
 * @param language BCP 47; empty if the encoder does not say it, and of video
 * @param width samples in a row; 0 of audio, or if unknown
 * @param height rows; 0 of audio, or if unknown
 * @param codecs RFC 6381
 * @param bitrateBps mean over the last seconds
 * @param running viewers have it, or will have it with the next segment
 * @param reason for people, why it is not served; empty while it is
 */
public record TrackStatus(
        boolean video,
        int number,
        String rendition,
        String name,
        String language,
        int width,
        int height,
        String codecs,
        long bitrateBps,
        boolean running,
        String reason) {}
