package touchline.api.app;

import touchline.api.certificate.Certificates;
import touchline.api.session.PlaybackResolver;
import touchline.api.session.SessionSupervisor;
import touchline.config.LiveConfig;
import touchline.config.ServerConfig;
import touchline.ingest.rtmp.RtmpServer;
import touchline.media.net.SharedAddresses;
import touchline.packager.delivery.DeliveryCounters;
import touchline.packager.delivery.PlaybackServer;
import touchline.packager.thumbnail.Thumbnails;

/** Assembles the listeners of encoders and viewers; the caller starts and closes them. */
final class Listeners {
    private Listeners() {}

    static RtmpServer rtmp(LiveConfig live, Certificates certificates, SessionSupervisor sessions) {
        ServerConfig config = live.get();
        return new RtmpServer(
                live.section(ServerConfig::rtmp),
                config.tls().rtmpsPort(),
                certificates.current(),
                sessions.gate(),
                sessions.live(),
                new SharedAddresses(config.http().trustedProxies()));
    }

    /**
     * @param thumbnails closed with the server
     */
    static PlaybackServer playback(
            LiveConfig live,
            Certificates certificates,
            PlaybackResolver access,
            Thumbnails thumbnails) {
        return new PlaybackServer(
                live.section(ServerConfig::playback),
                access,
                new DeliveryCounters(),
                live.get().http().trustedProxies(),
                certificates.current(),
                thumbnails);
    }
}
