// SPDX-License-Identifier: MIT
#include <heed/data/error.h>
#include <heed/decode/cca.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <string>

namespace heed::decode {
namespace {

// Sum of (z - mean)(z - mean)'.
Eigen::MatrixXd scatter(const ClassMoments& moments) {
  return moments.products - moments.sum * moments.sum.transpose() / moments.count;
}

void check_windows(const ClassMoments& moments, const char* name) {
  if (moments.count >= 2) return;
  throw Error(ErrorKind::bad_data, std::string("only ") + std::to_string(static_cast<int>(moments.count)) + " " + name +
                                       " windows to learn a discriminant from; label more, or use shorter windows");
}

}  // namespace

void ClassMoments::add(std::span<const double> z) {
  const Eigen::Map<const Eigen::VectorXd> values(z.data(), static_cast<Index>(z.size()));
  if (sum.size() == 0) {
    sum = Eigen::VectorXd::Zero(values.size());
    products = Eigen::MatrixXd::Zero(values.size(), values.size());
  }
  count += 1;
  sum += values;
  products += values * values.transpose();
}

ClassMoments& ClassMoments::operator+=(const ClassMoments& other) {
  if (other.count == 0) return *this;
  if (count == 0) return *this = other;
  if (sum.size() != other.sum.size()) {
    throw Error(ErrorKind::invalid_argument, "moments of different numbers of correlations cannot be added");
  }
  count += other.count;
  sum += other.sum;
  products += other.products;
  return *this;
}

DiscriminantMoments& DiscriminantMoments::operator+=(const DiscriminantMoments& other) {
  attended += other.attended;
  unattended += other.unattended;
  return *this;
}

LinearDiscriminant fit_discriminant(const DiscriminantMoments& moments) {
  check_windows(moments.attended, "attended");
  check_windows(moments.unattended, "unattended");
  const double count = moments.attended.count + moments.unattended.count;
  const Eigen::MatrixXd within = (scatter(moments.attended) + scatter(moments.unattended)) / count;
  const Eigen::VectorXd attended = moments.attended.sum / moments.attended.count;
  const Eigen::VectorXd unattended = moments.unattended.sum / moments.unattended.count;
  const Eigen::LLT<Eigen::MatrixXd> factor(within);
  const double least = factor.info() == Eigen::Success ? factor.matrixL().toDenseMatrix().diagonal().minCoeff() : 0;
  if (!(least * least > 1e-14 * within.diagonal().maxCoeff())) {
    throw Error(ErrorKind::singular,
                std::to_string(static_cast<int>(count)) + " windows of " + std::to_string(within.rows()) +
                    " values do not suffice for a discriminant; give more data, or longer trials (CCA: fewer pairs)");
  }
  LinearDiscriminant result;
  result.weights = factor.solve(attended - unattended);
  result.bias = -result.weights.dot(attended + unattended) / 2;
  return result;
}

}  // namespace heed::decode
