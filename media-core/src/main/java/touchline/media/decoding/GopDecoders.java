package touchline.media.decoding;

import touchline.media.Track;

/** Opens decoders. Any thread. */
@FunctionalInterface
public interface GopDecoders {
    /** In this process. */
    GopDecoders LOCAL = (track, _) -> LocalGopDecoder.open(track);

    /**
     * The caller closes it.
     *
     * @param owner of the media, such as a session id; owners are kept apart where possible
     * @throws touchline.media.codec.MalformedMediaException the track's configuration is invalid
     * @throws touchline.media.codec.DecodingRefusedException the track demands too much
     */
    GopDecoder open(Track track, String owner);
}
