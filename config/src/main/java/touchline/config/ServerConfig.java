package touchline.config;

import java.nio.file.Path;

/**
 * The whole configuration, one component per section of {@code application.yaml}. Immutable.
 *
 * @param dataDir holds all persistent data, mode 700
 */
public record ServerConfig(
        Path dataDir,
        ApiConfig api,
        PlaybackConfig playback,
        RtmpConfig rtmp,
        TlsConfig tls,
        PublicConfig publicUrls,
        AuthConfig auth,
        DatabaseConfig db,
        ClusterConfig cluster,
        EgressConfig egress,
        HttpConfig http,
        StorageConfig storage,
        PackagerConfig packager,
        MediaConfig media,
        OverlayConfig overlay,
        ModerationConfig moderation,
        EncoderConfig encoder,
        JobsConfig jobs,
        EventsConfig events,
        ViewersConfig viewers,
        TranscodingConfig transcoding,
        OtelConfig otel,
        LogConfig log) {
    /** The same with other listeners, and with the addresses that clients are given for them. */
    public ServerConfig withListeners(
            ApiConfig boundApi,
            PlaybackConfig boundPlayback,
            RtmpConfig boundRtmp,
            ClusterConfig boundCluster,
            TlsConfig boundTls,
            PublicConfig boundUrls) {
        return new ServerConfig(
                dataDir,
                boundApi,
                boundPlayback,
                boundRtmp,
                boundTls,
                boundUrls,
                auth,
                db,
                boundCluster,
                egress,
                http,
                storage,
                packager,
                media,
                overlay,
                moderation,
                encoder,
                jobs,
                events,
                viewers,
                transcoding,
                otel,
                log);
    }
}
