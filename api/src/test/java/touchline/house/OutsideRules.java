package touchline.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static touchline.house.HouseTest.HOUSE;
import static touchline.house.HouseTest.outside;

import java.net.URL;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Where the server reaches outside of itself: connections and processes. {@link HouseTest} runs
 * them, with the classes that it has read: reading all of them takes longer than all rules.
 */
abstract class OutsideRules {
    /**
     * Connections to addresses from clients use Egress. The browser's proxy checks every connection
     * itself. Commands and benchmarks connect to the local server. {@code AcceptedSockets} sees
     * connections that clients made. {@code EgressHttpClient} has the shape of the JDK's client,
     * and {@code api.certificate} passes it to acme4j. {@code NodeClient} calls other nodes of the
     * cluster, at the addresses of the registry only (decision 0079).
     */
    @Test
    void connections_areMadeByEgressOnly() {
        noClasses()
                .that(
                        outside(
                                List.of(
                                        "api.app.ApiClient",
                                        "api.certificate.AcmeAuthority",
                                        "api.certificate.Certificates",
                                        "api.cluster.NodeCallException",
                                        "api.cluster.NodeClient",
                                        "api.egress.Egress",
                                        "api.egress.EgressHttpClient",
                                        "benchmarks.**")))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.net.http.."))
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.net.URLConnection")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.net.HttpURLConnection")
                .orShould()
                .callMethod(URL.class, "openStream")
                .check(HOUSE);
        noClasses()
                .that(
                        outside(
                                List.of(
                                        "overlay.page.**",
                                        "api.app.**",
                                        "media.worker.SandboxCheck",
                                        "api.http.AcceptedSockets",
                                        "benchmarks.**")))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.net.Socket")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.nio.channels.SocketChannel")
                .check(HOUSE);
    }

    @Test
    void processes_areStartedInFewPlacesOnly() {
        noClasses()
                .that(
                        outside(
                                List.of(
                                        "overlay.page",
                                        "media.worker",
                                        "api.app",
                                        "api.host.NvidiaSmi")))
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName(ProcessBuilder.class.getName())
                .check(HOUSE);
    }
}
