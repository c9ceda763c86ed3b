package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.util.List;
import touchline.api.certificate.Certificates;
import touchline.api.domain.Scope;

/** The certificate that the listeners show. Any thread. */
final class CertificateRoutes {
    private final Certificates certificates;

    CertificateRoutes(Certificates certificates) {
        this.certificates = certificates;
    }

    List<ApiRoute> routes() {
        return List.of(ApiRoute.of(Method.GET, "/system/v1/certificate", Scope.SYSTEM, this::show));
    }

    private ApiReply show(ApiRequest request) {
        ObjectNode data = Json.object();
        certificates
                .status()
                .ifPresentOrElse(
                        status -> data.set("certificate", status.json()),
                        () -> data.putNull("certificate"));
        return ApiReply.ok(data);
    }
}
