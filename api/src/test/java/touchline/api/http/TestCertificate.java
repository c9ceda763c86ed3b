package touchline.api.http;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import touchline.api.certificate.Certificates;
import touchline.config.TlsConfig;
import touchline.testing.SelfSigned;

/** A self-signed certificate for localhost, and how an API server gets it. */
record TestCertificate(SelfSigned pair) {
    static TestCertificate create(Path folder) throws Exception {
        return new TestCertificate(SelfSigned.make(folder));
    }

    TlsConfig tls() {
        return new TlsConfig(
                OptionalInt.empty(), Optional.of(pair.cert()), Optional.of(pair.key()));
    }

    /** The same services, with this certificate. */
    ApiDependencies shownBy(ApiDependencies of) {
        return new ApiDependencies(
                of.database(),
                of.streams(),
                of.tokens(),
                of.signingKeys(),
                of.live(),
                of.overlays(),
                of.viewers(),
                of.restreams(),
                of.scoreboards(),
                of.assets(),
                of.clips(),
                of.events(),
                of.encoding(),
                of.moderation(),
                of.images(),
                of.backups(),
                of.urlRules(),
                of.readiness(),
                of.host(),
                of.operator(),
                of.nodes(),
                Certificates.of(pair.shown(), of.clock()),
                of.registry(),
                of.tracing(),
                of.clock());
    }

    SSLContext trusting() throws Exception {
        return pair.client();
    }
}
