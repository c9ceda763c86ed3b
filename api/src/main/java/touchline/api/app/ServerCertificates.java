package touchline.api.app;

import java.nio.file.Path;
import java.time.InstantSource;
import touchline.api.certificate.Certificates;
import touchline.api.db.Database;
import touchline.api.egress.Egress;
import touchline.api.http.ChallengeServer;
import touchline.config.ServerConfig;

/** Assembles the certificate of the server's listeners. */
final class ServerCertificates {
    private ServerCertificates() {}

    /** The caller closes it; the rest is borrowed. */
    static Certificates open(
            ServerConfig config,
            Path dataDir,
            Egress egress,
            Database database,
            InstantSource clock) {
        return Certificates.open(
                config.tls(),
                new Certificates.Dependencies(
                        dataDir,
                        egress,
                        database,
                        new ChallengeServer(
                                config.playback().host(), config.tls().acme().httpPort()),
                        clock));
    }
}
